"""The four themes measured: what must be told apart is, for all eyes and on grey; text can be read.

And a user's own theme: what it changes, and what is said of its faults.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from pnp import colour, themes
from pnp.errors import FileError, PnpError
from pnp.paint import patterns
from pnp.scene import Circle, Item, Line, Lines, Polygon
from pnp.themes import AREAS, COLOURS, FAMILY_ROLES, NAMES, RANK_ROLES, Area, Theme

SQUARE = ((0.0, 0.0), (12.0, 0.0), (12.0, 12.0), (0.0, 12.0))
PAIRS = [pair for group in themes.APART for pair in combinations(group, 2)]


def drawn(area: Area) -> tuple[str, tuple[Item, ...]]:
    """The ground colour of an area as it is drawn on a square of 12 mm, and what stands on it."""
    items = patterns.polygon(SQUARE, area, width=0.0)
    fills = [i.style.fill for i in items if isinstance(i, Polygon) and i.style.fill]
    marks = tuple(
        i for i in items if not (isinstance(i, Polygon) and i.style.fill and not i.style.stroke)
    )
    return (fills[0] or "#ffffff") if fills else "#ffffff", marks


def ground(theme: Theme, role: str) -> str:
    return drawn(theme.area(role))[0]


def shape(items: tuple[Item, ...]) -> list[object]:
    """What a pattern looks like without its colours."""
    out: list[object] = []
    for item in items:
        if isinstance(item, Lines):
            out += item.segments
        elif isinstance(item, Circle):
            out.append((item.x, item.y, item.r))
        elif isinstance(item, Polygon | Line):
            out.append(item.points)
    return out


@pytest.mark.parametrize("name", NAMES)
def test_a_theme_has_every_role(name: str) -> None:
    theme = themes.load(name)
    assert theme.name == name
    assert set(theme.colours) == set(COLOURS)
    assert set(theme.areas) == set(AREAS)


def test_a_theme_is_loaded_once() -> None:
    assert themes.load("grey") is themes.load("grey")


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_colour_blind_keeps_every_pair_apart_for_all_eyes(pair: tuple[str, str]) -> None:
    theme = themes.load("colour-blind")
    first, second = (ground(theme, role) for role in pair)
    assert colour.difference(first, second) >= 20
    for deficiency in colour.DEFICIENCIES:
        assert colour.difference(first, second, deficiency) >= 20, deficiency


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_grey_tells_every_pair_by_lightness_or_pattern(pair: tuple[str, str]) -> None:
    theme = themes.load("grey")
    (first, marks), (second, others) = (drawn(theme.area(role)) for role in pair)
    apart = abs(colour.lightness(first) - colour.lightness(second))
    assert apart >= 15 or shape(marks) != shape(others)


def test_grey_has_no_colour() -> None:
    theme = themes.load("grey")
    every = [*theme.colours.values()]
    for area in theme.areas.values():
        every += [c for c in (area.fill, area.line, area.text, area.mark) if c]
    assert {c for c in every if len({c[1:3], c[3:5], c[5:7]}) > 1} == set()


@pytest.mark.parametrize("name", ["colour", "colour-blind", "ink-saver"])
def test_the_eight_ranks_of_spiral_are_apart(name: str) -> None:
    theme = themes.load(name)
    for first, second in combinations(RANK_ROLES, 2):
        assert colour.difference(ground(theme, first), ground(theme, second)) >= 20


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "pair",
    [("red", "blue"), ("red-edge", "blue-edge"), ("white", "black"), ("player", "brooks")],
    ids="-".join,
)
def test_two_players_are_told_apart_by_pattern_in_every_theme(
    name: str, pair: tuple[str, str]
) -> None:
    theme = themes.load(name)
    first, second = (shape(drawn(theme.area(role))[1]) for role in pair)
    assert first != second


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("role", AREAS)
def test_text_on_an_area_can_be_read(name: str, role: str) -> None:
    theme = themes.load(name)
    area = theme.area(role)
    assert colour.contrast(area.text, area.fill or theme.colour("paper")) >= 4.5
    on_pattern = area.pattern not in ("solid", "ring") and role in (*RANK_ROLES, *FAMILY_ROLES)
    assert not on_pattern or colour.contrast(area.text, area.mark) >= 4.5


@pytest.mark.parametrize("name", NAMES)
def test_words_and_marks_can_be_read_on_paper_and_pale_lines_still_print(name: str) -> None:
    theme = themes.load(name)
    paper = theme.colour("paper")
    for role in ("ink", "soft", "way", "suit-red", "suit-black", "run", "tile-mark"):
        assert colour.contrast(theme.colour(role), paper) >= 4.5, role
    assert 1.5 <= colour.contrast(theme.colour("pale"), paper) <= 3
    assert colour.contrast(theme.colour("grid"), paper) >= 3
    for role in FAMILY_ROLES:
        area = theme.area(role)
        mark = area.line or theme.colour("tile-mark")
        assert colour.contrast(mark, area.fill or paper) >= 4.5, role


def test_ink_saver_is_light_and_has_outlines_and_colour() -> None:
    saver, full = themes.load("ink-saver"), themes.load("colour")
    chroma = 0.0
    for role in AREAS:
        area = saver.area(role)
        light = colour.lightness(area.fill or "#ffffff")
        assert light >= 80, role
        assert light >= colour.lightness(full.area(role).fill or "#ffffff") or role in RANK_ROLES
        _, a, b = colour.lab(area.fill or "#ffffff")
        chroma = max(chroma, abs(a), abs(b))
    assert chroma > 20
    for role in ("red", "blue", "red-edge", "blue-edge", "white", "black", "player", "brooks"):
        line = saver.area(role).line
        assert line is not None
        assert colour.contrast(line, "#ffffff") >= 4.5


@pytest.mark.parametrize("kind", ["hatch", "back-hatch", "cross", "bars", "columns", "dots"])
def test_patterns_stay_inside_their_outline(kind: themes.Pattern) -> None:
    area = Area(fill="#ffffff", line="#000000", text="#000000", pattern=kind, mark="#808080")
    triangle = ((0.0, 0.0), (20.0, 3.0), (4.0, 17.0))
    for items in (patterns.polygon(triangle, area), patterns.circle(3.0, 4.0, 9.0, area)):
        corners: list[tuple[float, float]] = []
        for item in items:
            if isinstance(item, Lines):
                corners += [c for s in item.segments for c in _ends(s, item.style.width)]
            elif isinstance(item, Circle) and item.style.stroke is None and item.r < 2:
                corners += [(item.x + item.r * i, item.y + item.r * j) for i, j in _COMPASS]
        assert len(corners) > 20
        if isinstance(items[-1], Polygon):
            assert all(_inside(c, triangle) for c in corners)
        else:
            assert all((x - 3.0) ** 2 + (y - 4.0) ** 2 <= 81.0 + 1e-6 for x, y in corners)


_COMPASS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def _ends(
    segment: tuple[float, float, float, float], width: float
) -> tuple[tuple[float, float], ...]:
    x0, y0, x1, y1 = segment
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
    nx, ny = (y1 - y0) / length * width / 2, (x0 - x1) / length * width / 2
    return ((x0 + nx, y0 + ny), (x0 - nx, y0 - ny), (x1 + nx, y1 + ny), (x1 - nx, y1 - ny))


def _inside(point: tuple[float, float], outline: tuple[tuple[float, float], ...]) -> bool:
    sides = zip(outline, (*outline[1:], outline[0]), strict=True)
    return all(
        (bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax) >= -1e-6
        for (ax, ay), (bx, by) in sides
    )


def test_every_pattern_is_its_own() -> None:
    seen = [
        repr(shape(patterns.polygon(SQUARE, Area("#ffffff", None, "#000000", p, "#000000"))))
        for p in themes.PATTERNS
    ]
    assert len(set(seen)) == len(themes.PATTERNS)


@pytest.mark.parametrize(
    ("kind", "role"),
    [
        ("I", "family-MM"),
        ("II", "family-VV"),
        ("III", "family-VMR"),
        ("IV", "family-VML"),
        ("V", "family-P"),
        ("VV2", "family-VV"),
        ("MM3", "family-MM"),
        ("VM3L", "family-VML"),
        ("VM2R", "family-VMR"),
        ("VM2", "family-VMR"),
        ("P1", "family-P"),
    ],
)
def test_every_kind_of_tile_has_its_family(kind: str, role: str) -> None:
    assert themes.family_role(kind) == role


def own(tmp_path: Path, text: str) -> str:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_an_own_theme_changes_its_base(tmp_path: Path) -> None:
    theme = themes.load(
        own(
            tmp_path,
            'base = "grey"\n[colours]\nink = "#112233"\n'
            '[areas.red]\nfill = "#FF8800"\npattern = "dots"\n[areas.cell]\nline = "none"\n',
        )
    )
    base = themes.load("grey")
    assert theme.name == "mine"
    assert theme.colour("ink") == "#112233"
    assert theme.area("red").fill == "#ff8800"
    assert theme.area("red").pattern == "dots"
    assert theme.area("red").text == base.area("red").text
    assert theme.area("cell").line is None
    assert theme.area("blue") == base.area("blue")


def test_an_own_theme_without_a_base_starts_from_colour(tmp_path: Path) -> None:
    theme = themes.load(own(tmp_path, 'name = "Mine"\n'))
    assert theme.name == "Mine"
    assert theme.areas == themes.load("colour").areas


def test_an_own_theme_that_is_saved_again_is_read_again(tmp_path: Path) -> None:
    path = own(tmp_path, '[colours]\nink = "#111111"\n')
    assert themes.load(path).colour("ink") == "#111111"
    own(tmp_path, '[colours]\nink = "#222222"\n')
    assert themes.load(path).colour("ink") == "#222222"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('base = "gray"', ("base is 'gray'", "colour, colour-blind, grey or ink-saver")),
        ('[colours]\nink = "#12"', ("colours.ink", "'#12' is not a colour", "#c8321e")),
        ("[colours]\nink = 12", ("colours.ink", "'12' is not a colour")),
        ('[colours]\nnik = "#123456"', ("colours.nik is unknown", "'ink'")),
        ('[areas.reed]\nfill = "#123456"', ("areas.reed is unknown", "'red'")),
        ('[areas.red]\nfil = "#123456"', ("areas.red.fil is unknown", "'fill'")),
        ('[areas.red]\npattern = "wavy"', ("areas.red.pattern: 'wavy' is no pattern", "hatch")),
        ('[areas]\nred = "#123456"', ("areas", "red is '#123456'", "table")),
        ('[areas.red]\ntext = "none"', ("areas.red.text", "'none' is not a colour")),
        ('colours = "#123456"', ("colours is", "table")),
        ('[colors]\nink = "#123456"', ("'colors' is unknown", "colours and areas")),
        ("name = 3", ("name is 3", "quotes")),
        ("base = [", ("not TOML",)),
        ("base = " + "[" * 9000, ("nested too deeply",)),
        ("base = " + "1" * 5000, ("too many digits",)),
    ],
)
def test_faults_of_an_own_theme_name_file_role_and_remedy(
    tmp_path: Path, text: str, words: tuple[str, ...]
) -> None:
    path = own(tmp_path, text)
    with pytest.raises(PnpError) as caught:
        themes.load(path)
    message = str(caught.value)
    assert message.startswith(path)
    for word in words:
        assert word in message


def test_a_theme_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PnpError, match="no theme is called 'gray'; did you mean 'grey'"):
        themes.load("gray")
    with pytest.raises(FileError, match="cannot be read: No such file"):
        themes.load(str(tmp_path / "none.toml"))
    with pytest.raises(FileError, match="cannot be read"):
        themes.load(str(tmp_path))
    binary = tmp_path / "b.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileError, match="not UTF-8"):
        themes.load(str(binary))
