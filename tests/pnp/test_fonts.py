"""Fonts: figures against fontTools, placement, missing characters, broken and foreign files."""

from __future__ import annotations

import struct
from itertools import chain
from pathlib import Path

import pytest
from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st

from pnp import fonts, resources
from pnp.errors import FileError, PnpError
from pnp.scene import Text, Weight
from tests.tools.small_font import ASTRAL, user_font

SHIPPED: dict[Weight, str] = {"regular": "DejaVuSans.ttf", "bold": "DejaVuSans-Bold.ttf"}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return user_font(tmp_path_factory.mktemp("fonts") / "Own.ttf")


@pytest.mark.parametrize("weight", SHIPPED)
def test_metrics_and_outlines_are_those_that_fonttools_reads(weight: Weight) -> None:
    face = fonts.load().face(weight)
    with TTFont(resources.find("fonts", SHIPPED[weight])) as known:
        glyphs, cmap = known.getGlyphSet(), known.getBestCmap()
        assert face.cmap == {code: known.getGlyphID(name) for code, name in cmap.items()}
        for code in chain(range(0x21, 0x7F), sorted(cmap)[::5]):
            pen = BoundsPen(glyphs)
            glyphs[cmap[code]].draw(pen)
            advance, box = face.metrics(code)
            assert advance == glyphs[cmap[code]].width
            # one unit in 2048: fontTools rounds the parts of a composite glyph, a printer does not
            assert box == (pen.bounds and pytest.approx(pen.bounds, abs=1.01)), hex(code)


def test_the_shipped_fonts_draw_what_the_sheets_and_names_need() -> None:
    wanted = (
        "".join(map(chr, chain(range(0x20, 0x7F), range(0xA0, 0x180))))
        + "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρςστυφχψω"
        + "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґ"
        + "ŁłȘșȚțƒ–—‑‘’‚“”„†•…‰‹›€№™←↑→↓↔↦⇒×÷±−≤≥≠≈∞√∑∆■□▲△▼◆◇○●◦★♠♥♦♣─│┌┐└┘┼█ⅠⅡⅢⅣⅤ⌀ẞẽ"
    )
    for weight in SHIPPED:
        assert fonts.load().missing(wanted, weight) == ()


def test_the_licence_travels_with_the_fonts() -> None:
    text = resources.read_text("fonts", "LICENSE-DejaVu.txt")
    assert "Permission is hereby granted" in text
    assert "Bitstream" in text
    assert "Tavmjong Bah" in text


def test_lengths_are_in_mm_and_grow_with_the_size() -> None:
    shipped = fonts.load()
    assert shipped.width("MM", 10) == pytest.approx(2 * shipped.width("M", 10))
    assert shipped.width("M", 10) == pytest.approx(10 * 1767 / 2048)  # the advance in the file
    assert shipped.cap_height(10) == pytest.approx(10 * 1493 / 2048)
    left, top, right, bottom = shipped.ink("H", 10)
    assert (top, bottom) == pytest.approx((-shipped.cap_height(10), 0))
    assert 0 < left < right < shipped.width("H", 10)
    assert shipped.ink("gH", 20)[3] > 0 > shipped.ink("gH", 20)[1]
    assert shipped.ink("  ", 10) == (0, 0, 0, 0)


@pytest.mark.parametrize("text", ["a1", "j11", "gp", "T", "Ąg", "♠"])
@pytest.mark.parametrize("turn", [0.0, 30.0, 90.0, 180.0])
def test_an_ink_label_is_centred_on_its_point(text: str, turn: float) -> None:
    item = Text(50, 20, text, 4, anchor="middle", valign="ink", turn=turn)
    corners = fonts.load().text_box(item)
    assert (corners[0] + corners[2]) / 2 == pytest.approx(50)
    assert (corners[1] + corners[3]) / 2 == pytest.approx(20)


def test_anchors_and_lines() -> None:
    shipped = fonts.load()
    width = shipped.width("Hex", 5)
    assert shipped.place(Text(0, 0, "Hex", 5)) == (0, 0)
    assert shipped.place(Text(0, 0, "Hex", 5, anchor="end")) == pytest.approx((-width, 0))
    dx, dy = shipped.place(Text(0, 0, "Hex", 5, anchor="middle", valign="cap"))
    assert (dx, dy) == pytest.approx((-width / 2, shipped.cap_height(5) / 2))
    _, dy = shipped.place(Text(0, 0, "x", 5, anchor="start", valign="ink"))
    _, top, _, bottom = shipped.ink("x", 5)
    assert dy == pytest.approx(-(top + bottom) / 2)


def test_an_accent_that_stands_apart_is_joined_to_its_letter() -> None:
    shipped = fonts.load()
    assert shipped.width("e\u0301", 5) == shipped.width("\u00e9", 5)
    assert [char for char, _ in shipped.pens("e\u0301")] == ["\u00e9"]


@pytest.mark.parametrize(
    ("text", "point", "name"),
    [
        ("Anna 漢", "U+6F22", "CJK UNIFIED IDEOGRAPH-6F22"),
        ("die " + ASTRAL, "U+1F3B2", "GAME DIE"),
        ("two\nlines", "U+000A", ""),
        ("half \ud83c", "U+D83C", ""),
        ("\x1b[31m", "U+001B", ""),
    ],
)
def test_a_missing_character_is_named(text: str, point: str, name: str) -> None:
    with pytest.raises(PnpError) as caught:
        fonts.load().check(text)
    message = str(caught.value)
    assert point in message
    assert name in message
    assert "--font" in message
    assert (
        message.encode("utf-8").isascii() or "\\" in message or "漢" in message or ASTRAL in message
    )
    assert "\x1b" not in message


def test_a_user_font_serves_both_weights(own: Path) -> None:
    chosen = fonts.load(own)
    assert chosen.width("AB", 10) == pytest.approx(18)
    assert chosen.width("AB", 10, "bold") == pytest.approx(18)
    assert chosen.ink("A", 10) == pytest.approx((1, -7, 5, 0))
    assert chosen.ink("B", 10) == pytest.approx((1, -7, 8.5, 0))  # half of A, moved by 6
    assert chosen.cap_height(10) == pytest.approx(7)  # no H: a guess


def test_an_astral_character_of_a_user_font_is_drawn(own: Path) -> None:
    chosen = fonts.load(own)
    assert chosen.missing(f"A{ASTRAL}") == ()
    left, top, right, bottom = chosen.ink(ASTRAL, 10)
    # the curve through the middles of its four control points touches the middles of the sides
    assert (left, top, right, bottom) == pytest.approx((0, -10, 10, 0))


def test_another_font_is_asked_for_where_the_users_lacks_a_character(own: Path) -> None:
    with pytest.raises(PnpError, match=r"Own\.ttf has no character 'z' U\+007A .*another font"):
        fonts.load(own).check("Az")


@pytest.mark.parametrize("bits", [0x0002, 0x0100, 0x0200])
def test_a_font_that_may_not_be_embedded_is_refused(tmp_path: Path, bits: int) -> None:
    path = user_font(tmp_path / "Shut.ttf", embedding=bits)
    with pytest.raises(PnpError, match=r"Shut\.ttf forbids embedding"):
        fonts.load(path)


@pytest.mark.parametrize(
    "content", [b"", b"x", b"OTTO" + bytes(200), b"\0\1\0\0" + bytes(8), b"%PDF"]
)
def test_what_is_no_font_is_refused_with_its_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "Bad.ttf"
    path.write_bytes(content)
    with pytest.raises(PnpError, match=r"Bad\.ttf is not a TrueType font.*--font"):
        fonts.load(path)


def test_a_missing_file_is_an_error_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"None\.ttf cannot be read"):
        fonts.load(tmp_path / "None.ttf")
    with pytest.raises(FileError, match="cannot be read"):
        fonts.load(tmp_path)


def test_a_font_cut_short_anywhere_is_refused(own: Path, tmp_path: Path) -> None:
    data = own.read_bytes()
    path = tmp_path / "Cut.ttf"
    for length in range(0, len(data) - 4, 7):
        path.write_bytes(data[:length])
        with pytest.raises(PnpError):
            fonts.load(path)


@given(st.lists(st.tuples(st.integers(0, 1500), st.integers(0, 255)), max_size=6))
def test_damage_gives_a_kind_error_or_a_picture(
    own: Path, tmp_path_factory: pytest.TempPathFactory, damage: list[tuple[int, int]]
) -> None:
    data = bytearray(own.read_bytes())
    for place, value in damage:
        data[place % len(data)] = value
    path = tmp_path_factory.getbasetemp() / "Hurt.ttf"
    path.write_bytes(bytes(data))
    try:
        chosen = fonts.load(path)
        chosen.check("AB " + ASTRAL)
    except PnpError:
        return
    assert chosen.width("AB", 10) >= 0


def test_a_table_of_characters_without_end_is_refused(own: Path, tmp_path: Path) -> None:
    """Groups that overlap could otherwise make a small file fill the memory."""
    data = bytearray(own.read_bytes())
    with TTFont(own) as known:
        start = known.reader.tables["cmap"].offset
    tables = struct.unpack_from(">H", data, start + 2)[0]
    for k in range(tables):
        offset = start + struct.unpack_from(">L", data, start + 8 + 8 * k)[0]
        if struct.unpack_from(">H", data, offset)[0] == 12:
            struct.pack_into(">2L", data, offset + 16, 0, 0x10FFFF)
    path = tmp_path / "Endless.ttf"
    path.write_bytes(bytes(data))
    with pytest.raises(PnpError, match="out of order"):
        fonts.load(path)
