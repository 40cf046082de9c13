"""spiral: the board measured as it is printed.

Cases of ../shared/cases/print-cases.md that apply here and are not the sheet's own: P62, P90, P92,
P94, P95. Counters, cards and the mat: test_spiral_parts.py.
"""

from __future__ import annotations

import math
import os
from functools import lru_cache
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp import themes
from pnp.boards import hexhex
from pnp.colour import DEFICIENCIES, contrast, difference
from pnp.errors import FitError, PnpError
from pnp.games.spiral import LEAST_CELL
from pnp.geometry import distance
from pnp.paint.spiral import PaintedSpiral, paint_spiral_board, spiral_board_size, spiral_joints
from pnp.paint.spiral_cells import LEAST_LABEL, outside, place
from pnp.scene import Circle, Group, Line, Lines, Polygon, Text
from pnp.spiral_layout import CENTRE, RANKS, WAY, standard
from pnp.themes import RANK_ROLES
from tests.pnp.games.seen import Seen, Word, grey, ink_of, pages, settle
from tests.pnp.printed import built

GOLDEN = Path(__file__).parents[2] / "data" / "golden"
ALONE = ["--no-counters", "--no-cards", "--no-mat"]
BOARD = {"counters": False, "cards": False, "mat": False}
MIRRORED = """
title = "Mirrored"
rows = [
  "7T 79 78 77",
  "7J 9A 9K 9Q 9J",
  "7Q TT QK QQ JA 9T",
  "7K TJ QA () AA JK 99",
  "7A TQ KK KA JQ 8A",
  "88 TK TA JJ 8K",
  "89 8T 8J 8Q",
]
"""

LAYOUT = dict(zip(standard().labels, hexhex(4).centres, strict=True))
"""spiral-layout: where each cell lies, in cells from the middle."""


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Seen]:
    """The colour-coded board of each theme, the same with labels in the middle, a plain one."""
    folder = tmp_path_factory.mktemp("spiral")
    found = {
        name: Seen(built("spiral", folder / f"{name}.pdf", *ALONE, "--theme", name))
        for name in themes.NAMES
    }
    for name, words in (
        ("middle", ["--label-place", "middle"]),
        ("plain", ["--style", "plain"]),
    ):
        found[name] = Seen(built("spiral", folder / f"{name}.pdf", *ALONE, *words))
    return found


def labels_of(seen: Seen) -> dict[str, Word]:
    """The words that name cells."""
    found = [w for w in seen.words if w.text in WAY and w.size > 4.0]
    assert len({w.text for w in found}) == len(found)
    return {w.text: w for w in found}


@lru_cache(maxsize=16)
def middles(seen: Seen, cell: float = 27.0) -> dict[str, tuple[float, float]]:
    """The middles of all cells in mm: the board lies on the page as its outline says."""
    dark = seen.pixels[:, 200:, 1] < 110
    rows = np.nonzero(dark.sum(axis=1) > 30)[0]
    columns = np.nonzero(dark.sum(axis=0) > 60)[0]
    left, right, top = columns[0] / 10 + 20, columns[-1] / 10 + 20, rows[0] / 10
    assert right - left == pytest.approx(7 * cell, abs=1.2)
    x0 = (left + right) / 2
    y0 = top + (3 * math.sqrt(3) / 2 + 1 / math.sqrt(3)) * cell
    return {name: (x0 + x * cell, y0 + y * cell) for name, (x, y) in LAYOUT.items()}


@pytest.mark.parametrize("name", [*themes.NAMES, "middle", "plain"])
def test_all_37_cells_are_named_where_the_layout_has_them(
    boards: dict[str, Seen], name: str
) -> None:
    """spiral-board, spiral-layout."""
    words = labels_of(boards[name])
    assert set(words) == set(WAY)
    mid = words[CENTRE]
    for label, (x, y) in LAYOUT.items():
        assert words[label].x - mid.x == pytest.approx(x * 27.0, abs=1.0)
        assert words[label].y - mid.y == pytest.approx(y * 27.0, abs=0.1)


@pytest.mark.parametrize("labels", ["beside", "middle"])
def test_labels_are_centred_in_their_cells(labels: str) -> None:
    """Within 2 % of the cell's width: across in both places, down too in the middle."""
    painted = board(labels)
    for label, centre in zip(standard().labels, painted.centres, strict=True):
        left, top, right, bottom = ink_of(text_of(painted, label))
        assert (left + right) / 2 == pytest.approx(centre[0], abs=0.02 * 27.0)
        if labels == "middle" and not {"J", "Q", "("} & set(label):  # these have tails
            assert (top + bottom) / 2 == pytest.approx(centre[1], abs=0.02 * 27.0)


def board(labels: str, cell: float = 27.0, **more: object) -> PaintedSpiral:
    return paint_spiral_board(
        cell, themes.load("colour"), labels=labels, coded=True, least_label=LEAST_LABEL, **more
    )  # type: ignore[arg-type]


def text_of(painted: PaintedSpiral, label: str) -> Text:
    (found,) = [i for i in painted.scene.items if isinstance(i, Text) and i.text == label]
    return found


def test_drawn_labels_are_3_5_mm_high_or_more(boards: dict[str, Seen]) -> None:
    for name in ("plain", "grey"):
        seen = boards[name]
        word = labels_of(seen)["77"]
        patch = grey(
            seen.pixels[int((word.y - 3.5) * 10) : int((word.y + 3.5) * 10),
                        int((word.x - 2.5) * 10) : int((word.x + 2.5) * 10)]
        )  # fmt: skip
        rows = np.nonzero((patch < 70).sum(axis=1) > 4)[0]
        assert (rows[-1] - rows[0] + 1) / 10 >= 3.5


@pytest.mark.parametrize("cell", [9.0, 10.0, 12.0, 15.7, 20.0, 24.0, 27.0, 33.0, 60.0])
@pytest.mark.parametrize("labels", ["beside", "middle"])
def test_a_label_is_seen_with_its_counter_in_place(cell: float, labels: str) -> None:
    painted = board(labels, cell)
    where = place(cell, labels, None, LEAST_LABEL)  # type: ignore[arg-type]
    for label, centre, spot in zip(standard().labels, painted.centres, painted.places, strict=True):
        left, top, right, bottom = ink_of(text_of(painted, label))
        assert text_of(painted, "77").size * 0.729 >= 3.5 - 1e-9
        if labels == "beside":
            near = (min(max(spot[0], left), right), min(max(spot[1], top), bottom))
            assert distance(near, spot) > where.counter / 2.0
        # label and counter stay inside their cell: a hexagon is what is near in three directions
        for angle in (0, 60, 120, 180, 240, 300):
            ux, uy = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            reach = [
                (x - centre[0]) * ux + (y - centre[1]) * uy
                for x in (left, right) for y in (top, bottom)
            ]  # fmt: skip
            reach.append(
                (spot[0] - centre[0]) * ux + (spot[1] - centre[1]) * uy + where.counter / 2.0
            )
            assert max(reach) < cell / 2.0


def test_standard_cells_take_counters_of_19_mm() -> None:
    assert place(27.0, "beside", None, LEAST_LABEL).counter == pytest.approx(19.0)
    assert 19.0 < place(27.0, "beside", None, LEAST_LABEL).largest < 27.0


# The colour coding


def fill_of(seen: Seen, label: str) -> str:
    """The commonest colour of a cell, away from its label, its lines and the way."""
    x, y = middles(seen)[label]
    spots = [(x + dx, y + 7.5) for dx in np.arange(-6.0, 6.1, 0.25)]
    found = [seen.colour(*spot) for spot in spots]
    return max(set(found), key=found.count)


@pytest.mark.parametrize("name", ["colour", "colour-blind", "ink-saver"])
def test_drawn_fills_of_the_eight_runs_are_20_apart(boards: dict[str, Seen], name: str) -> None:
    fills = {}
    for rank in RANKS:
        run = {fill_of(boards[name], pair) for pair in WAY if pair[0] == rank}
        assert len(run) == 1
        fills[rank] = run.pop()
    assert len(set(fills.values())) == 8
    for a, b in combinations(fills.values(), 2):
        assert difference(a, b) >= 20
        if name == "colour-blind":
            assert min(difference(a, b, eye) for eye in DEFICIENCIES) >= 20
    for rank in RANKS:
        text = themes.load(name).area(f"rank-{rank}").text
        assert contrast(text, fills[rank]) >= 4.5


def test_runs_are_told_apart_on_a_grey_print(boards: dict[str, Seen]) -> None:
    """P94, P95: by 15 in lightness, or by their patterns, seen on 6 × 4 mm of the drawn cells."""
    seen, mids = boards["grey"], middles(boards["grey"])
    patches = {}
    for rank in RANKS:
        x, y = mids[next(pair for pair in WAY if pair[0] == rank)]
        rows = slice(int((y - 5.0) * 10), int((y - 1.0) * 10))
        patches[rank] = grey(seen.pixels[rows, int((x - 12.5) * 10) : int((x - 6.5) * 10)])
    for a, b in combinations(RANKS, 2):
        lighter = abs(float(np.median(patches[a])) - float(np.median(patches[b])))
        apart = float((np.abs(patches[a] - patches[b]) > 15.0).mean())
        assert lighter >= 15 or apart > 0.1, (a, b, lighter, apart)


def test_a_thick_line_parts_the_runs_and_a_thin_one_their_cells(boards: dict[str, Seen]) -> None:
    seen, mids = boards["grey"], middles(boards["grey"])
    shape, labels = hexhex(4), standard().labels
    way = {frozenset(pair) for pair in pairwise(WAY)}
    checked = 0
    for at, near in ((at, n) for at, ns in enumerate(shape.neighbours) for n in ns if n > at):
        a, b = labels[at], labels[near]
        (ax, ay), (bx, by) = mids[a], mids[b]
        if abs(ay - by) > 1.0 or frozenset((a, b)) in way:
            continue  # upright sides that the way does not cross are the easy ones to measure
        x, y = (ax + bx) / 2, ay
        row = grey(seen.pixels[int((y + 4.5) * 10), int((x - 2) * 10) : int((x + 2) * 10)])
        dark = float((row < 50).sum()) / 10
        if CENTRE not in (a, b) and a[0] == b[0]:
            assert dark < 0.7
        else:
            assert dark >= 1.0
        checked += 1
    assert checked >= 10


def test_a_legend_lists_the_ranks_in_order(boards: dict[str, Seen]) -> None:
    for name in themes.NAMES:
        seen = boards[name]
        low = max(w.y for w in labels_of(seen).values()) + 20
        listed = [w for w in seen.words if w.text in set(RANKS) and w.y > low and w.size > 4.0]
        listed.sort(key=lambda w: w.x)
        assert "".join(w.text for w in listed) == RANKS
        if name == "grey":
            continue
        for word in listed:
            pair = next(p for p in WAY if p[0] == word.text)
            assert seen.colour(word.x - 5.0, word.y) == fill_of(seen, pair)
    assert not [w for w in boards["plain"].words if w.text in set(RANKS) and w.size > 4.0]


def test_a_plain_board_has_one_colour(boards: dict[str, Seen]) -> None:
    cell = themes.load("colour").area("cell").fill
    assert {fill_of(boards["plain"], pair) for pair in WAY[:-1]} == {cell}


# The way


def way_of(painted: PaintedSpiral) -> list[tuple[tuple[float, float], ...]]:
    """The lines of the way, on top of their pale ground."""
    ink = themes.load("colour").colour("way")
    return [i.points for i in painted.scene.items if isinstance(i, Line) and i.style.stroke == ink]


def test_one_line_runs_through_all_cells_from_outside_to_the_middle() -> None:
    painted = board("beside")
    (line,) = way_of(painted)
    assert line == tuple(painted.places[at] for at in standard().way)


@pytest.mark.parametrize("cell", [9.0, 11.0, 14.0, 18.0, 22.0, 27.0, 40.0])
@pytest.mark.parametrize("labels", ["beside", "middle"])
def test_the_way_crosses_no_label(cell: float, labels: str) -> None:
    painted = board(labels, cell)
    boxes = [ink_of(i) for i in painted.scene.items if isinstance(i, Text)]
    half = cell * 0.026 / 2.0
    grown = [(a - half, b - half, c + half, d + half) for a, b, c, d in boxes]
    lines = way_of(painted)
    assert lines
    for a, b in (pair for line in lines for pair in pairwise(line)):
        assert outside(a, b, grown) == [(a, b)]
    ink = themes.load("colour").colour("way")
    points = [i for i in painted.scene.items if isinstance(i, Polygon) and i.style.fill == ink]
    assert len(points) == 36
    for point in points:
        for x, y in point.points:
            assert not any(a < x < c and b < y < d for a, b, c, d in boxes)


@pytest.mark.parametrize("labels", ["beside", "middle", "none"])
def test_points_lead_inwards_from_cell_to_cell(labels: str) -> None:
    painted = board(labels)
    ink = themes.load("colour").colour("way")
    points = [
        i.points for i in painted.scene.items if isinstance(i, Polygon) and i.style.fill == ink
    ]
    stations = [painted.places[at] for at in standard().way]
    for (tip, *wings), (a, b) in zip(points, pairwise(stations), strict=True):
        assert distance(a, tip) + distance(tip, b) == pytest.approx(distance(a, b), abs=1e-6)
        assert all(distance(tip, b) < distance(wing, b) for wing in wings)


@pytest.mark.parametrize("name", themes.NAMES)
def test_the_way_is_seen_on_every_run(name: str) -> None:
    """On dark cells too: a pale ground lies below it."""
    theme = themes.load(name)
    assert contrast(theme.colour("way"), theme.colour("paper")) >= 4.5
    for role in RANK_ROLES:
        fill = theme.area(role).fill
        assert fill is not None
        seen = max(contrast(theme.colour(c), fill) for c in ("way", "paper"))
        assert seen >= 2.5


def test_the_way_can_be_left_out() -> None:
    assert not way_of(board("beside", way=False))


# Layouts


def test_another_layout_is_printed(tmp_path: Path) -> None:
    path = tmp_path / "mirrored.toml"
    path.write_text(MIRRORED, encoding="utf-8")
    seen = Seen(built("spiral", tmp_path / "x.pdf", *ALONE, "--layout", str(path)))
    words = labels_of(seen)
    for label, (x, y) in LAYOUT.items():
        assert words[label].x - words[CENTRE].x == pytest.approx(-x * 27.0, abs=1.0)
        assert words[label].y - words[CENTRE].y == pytest.approx(y * 27.0, abs=0.1)
    assert "Mirrored" in "".join(char[0] for char in seen.chars)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("78 79", "78 78"), "78 stands in row 1, cell 2 already; what is missing: 79"),
        (("78 79", "79 78"), "the way breaks after 7[78]"),
        (("9J 9Q 9K 9A 7J", "9J 9Q 9K 9A"), "row 2 has 4 cells; it must have 5"),
        (("9J", "J9"), "J9 must be written 9J"),
    ],
)
def test_a_bad_layout_has_a_clear_error(
    change: tuple[str, str], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "bad.toml"
    ordered = "\n".join(
        " ".join(reversed(line.strip(' ",').split())).join(('  "', '",'))
        if line.startswith("  ") else line
        for line in MIRRORED.splitlines()
    )  # fmt: skip
    path.write_text(ordered.replace(*change), encoding="utf-8")
    with pytest.raises(PnpError, match=message) as caught:
        pages("spiral", layout=str(path), **BOARD)
    assert "bad.toml" in str(caught.value)
    with pytest.raises(PnpError, match="cannot be read"):
        pages("spiral", layout=str(tmp_path / "none.toml"))


# Sheets


def test_boards_have_no_cut_marks() -> None:
    """P62."""
    (page,) = pages("spiral", **BOARD)
    assert not any(isinstance(i, Lines) for i in page.scene.items)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_defaults_fit_a4_and_letter(paper: str) -> None:
    made = pages("spiral", paper=paper)
    assert made[0].label == "Spiral board"
    assert "27 mm" in " ".join(
        t.text for g in made[0].scene.items if isinstance(g, Group)
        for t in g.items if isinstance(t, Text)
    )  # fmt: skip


def test_the_outline_stays_inside_the_picture() -> None:
    for cell in (9.0, 27.0):
        for legend in (False, True):
            scene = board("beside", cell, legend=legend).scene
            assert (scene.width, scene.height) == spiral_board_size(cell, legend=legend)
            for item in scene.items:
                if isinstance(item, Lines):
                    half = item.style.width / 2.0
                    xs = [x for s in item.segments for x in (s[0], s[2])]
                    ys = [y for s in item.segments for y in (s[1], s[3])]
                    assert min(*xs, *ys) - half > -1e-6
                    assert max(xs) + half < scene.width + 1e-6
                    assert max(ys) + half < scene.height + 1e-6
                elif isinstance(item, Text):
                    left, top, right, bottom = ink_of(item)
                    assert min(left, top) >= 0
                    assert right <= scene.width
                    assert bottom <= scene.height
    assert spiral_board_size(27.0, legend=True)[0] <= 190.0


@pytest.mark.parametrize("labels", ["beside", "middle", "none"])
def test_joints_of_a_split_board_cross_no_label(labels: str) -> None:
    columns, rows = spiral_joints(27.0, labels, legend=True)  # type: ignore[arg-type]
    scene = board(labels, legend=True).scene
    texts = [i for i in scene.items if isinstance(i, Text) and len(i.text) < 3]
    assert len(texts) == (8 if labels == "none" else 45)
    for left, top, right, bottom in map(ink_of, texts):
        assert not any(left - 0.2 < x < right + 0.2 for x in columns)
        assert not any(top - 0.2 < y < bottom + 0.2 for y in rows)
    assert columns == tuple(sorted(columns))
    assert rows == tuple(sorted(rows))
    assert pages("spiral", split=True, cell_size=45, label_place="middle", **BOARD)


@pytest.mark.parametrize(
    "given",
    [
        {"cell_size": 30},
        {"paper": "150x200mm"},
        {"paper": "100x150mm"},
        {"paper": "100x150mm", "margin": 6, "label_place": "middle"},
        {"marks": "edge"},
        {"counter_size": 21},
        {"counter_size": 26, "label_place": "middle"},
        {"paper": "150x200mm", "counter_size": 19},
        {"counter_size": 190, "board": False},
    ],
)
def test_an_error_names_the_largest_size_that_builds(given: dict[str, object]) -> None:
    with pytest.raises(FitError, match="the largest --") as caught:
        pages("spiral", **given)
    assert caught.value.largest is not None
    option = str(caught.value).split("the largest --")[1].split()[0].replace("-", "_")
    more = {**given, option: round(caught.value.largest + 0.1, 1)}
    assert settle("spiral", given) is not None
    with pytest.raises(FitError):
        pages("spiral", **more)


def test_two_sizes_that_are_wrong_together_are_named_together() -> None:
    with pytest.raises(
        FitError, match=r"--counter-size that fits is ([0-9.]+) mm; with --cell-size"
    ) as c:
        pages("spiral", paper="150x200mm", counter_size=19)
    counter, cell = (
        part.split(" mm")[0] for part in str(c.value).split("fits is ")[1].split("size ")
    )
    assert pages("spiral", paper="150x200mm", counter_size=counter, cell_size=cell)


def test_cells_too_small_to_read_are_refused() -> None:
    with pytest.raises(FitError, match=r"too small for labels of 3\.5 mm; it needs 9 mm"):
        pages("spiral", cell_size=LEAST_CELL - 0.1)
    with pytest.raises(FitError, match="the least that hold labels"):
        pages("spiral", paper="60x90mm", cards=False, mat=False)
    assert pages("spiral", paper="70x100mm", cell_size=5, labels=False, cards=False, mat=False)
    assert pages("spiral", cell_size=LEAST_CELL)


def test_nothing_to_print_is_an_error() -> None:
    with pytest.raises(PnpError, match="all left out"):
        pages("spiral", board=False, **BOARD)


papers = st.tuples(st.integers(60, 450), st.integers(60, 450)).map(lambda p: f"{p[0]}x{p[1]}mm")


@settings(max_examples=25)
@given(
    papers,
    st.integers(0, 200).map(lambda n: n / 10),
    st.sampled_from([None, 9.0, 14.4, 26.0, 31.7]),
    st.sampled_from(["small", "bridge", "poker"]),
    st.sampled_from(["none", "duplex-long", "fold"]),
    st.sampled_from(["beside", "middle"]),
    st.booleans(),
)
def test_any_options_build_or_name_what_does(
    paper: str, margin: float, cell: float | None, cards: str, backs: str, where: str, labels: bool
) -> None:
    chosen: dict[str, object] = {"paper": paper, "margin": margin, "backs": backs, "labels": labels}
    chosen |= {"label_place": where, "card_size": cards} | ({"cell_size": cell} if cell else {})
    made = settle("spiral", chosen)
    if made is not None:
        assert next(iter(made.document.pages())).scene.items


def test_the_board_is_small(tmp_path: Path) -> None:
    for name in themes.NAMES:
        path = built("spiral", tmp_path / "x.pdf", *ALONE, "--theme", name)
        assert path.stat().st_size < 30_000


def test_ink_saver_saves_ink(boards: dict[str, Seen]) -> None:
    """P92: lighter fills, not grey."""
    light = {n: float(boards[n].pixels[:1800].mean()) for n in ("colour", "ink-saver", "grey")}
    assert light["ink-saver"] > light["colour"] + 3


@pytest.mark.parametrize("labels", ["beside", "middle"])
def test_golden_scene(labels: str) -> None:
    """The whole picture as data; PNP_UPDATE_GOLDEN=1 writes it anew, to be read."""
    theme = themes.load("grey" if labels == "middle" else "colour")
    painted = paint_spiral_board(
        27.0, theme, labels=labels, coded=True, legend=True, least_label=LEAST_LABEL
    )  # type: ignore[arg-type]
    assert sum(isinstance(i, Circle) for i in painted.scene.items) >= 2 or labels == "middle"
    path = GOLDEN / f"spiral-{labels}.txt"
    text = painted.scene.dump()
    if os.environ.get("PNP_UPDATE_GOLDEN") == "1":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
