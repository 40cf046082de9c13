"""Marks on regular polygons: counts by Burnside's lemma, names, arcs, capacities, and lines that meet."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pnp.geometry import Point, distance, hexagon, regular_polygon, rotate, shift
from pnp.paint import lightning
from pnp.tiles import (
    LIGHTNING,
    Mark,
    capacity,
    family,
    kinds,
    name,
    overrun,
    points,
    track,
    turned,
)

SIDES = range(3, 13)
POLYGONS = [(n, kind) for n in range(3, 9) for kind in kinds(n)]


def corners(n: int, inradius: float = 10.0) -> tuple[Point, ...]:
    return regular_polygon(n, inradius)


def outside(p: Point, polygon: tuple[Point, ...]) -> float:
    """How far a point lies outside a convex clockwise polygon, negative inside."""
    far = -math.inf
    for k, (x0, y0) in enumerate(polygon):
        x1, y1 = polygon[(k + 1) % len(polygon)]
        side = math.hypot(x1 - x0, y1 - y0)
        far = max(far, ((p[0] - x0) * (y1 - y0) - (p[1] - y0) * (x1 - x0)) / side)
    return far


# The count once more: marks as pairs of places in the plane, orbits by Burnside's lemma.


def along_a_side(a: Point, b: Point, polygon: tuple[Point, ...]) -> bool:
    middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    return outside(middle, polygon) > -1e-9


def straight_through(a: Point, b: Point) -> bool:
    return abs(a[0] * b[1] - a[1] * b[0]) < 1e-9


def orbits(places: list[frozenset[int]], n: int) -> int:
    """Orbits of sets of points under the n rotations: the mean number of sets that stay put."""
    fixed = sum(
        1 for j in range(n) for s in places if frozenset((p + 2 * j) % (2 * n) for p in s) == s
    )
    assert fixed % n == 0
    return fixed // n


def by_burnside(n: int) -> dict[str, int]:
    polygon = corners(n)
    at = points(polygon)
    groups: dict[str, list[frozenset[int]]] = {"VV": [], "MM": [], "VM": [], "P": []}
    for a, b in combinations(range(2 * n), 2):
        if not along_a_side(at[a], at[b], polygon):
            groups[{0: "VV", 1: "VM", 2: "MM"}[a % 2 + b % 2]].append(frozenset((a, b)))
        if a % 2 == b % 2 == 0 and not straight_through(at[a], at[b]):
            groups["P"].append(frozenset((a, b)))
    return {letters: orbits(places, n) for letters, places in groups.items()}


@pytest.mark.parametrize("n", SIDES)
def test_there_is_one_kind_for_each_orbit(n: int) -> None:
    found = [family(kind) for kind in kinds(n)]
    assert {letters: found.count(letters) for letters in ("VV", "MM", "VM", "P")} == by_burnside(n)


def test_the_counts_of_the_specification() -> None:
    assert by_burnside(3) == {"VV": 0, "MM": 1, "VM": 1, "P": 1}
    assert by_burnside(4) == {"VV": 1, "MM": 2, "VM": 2, "P": 1}
    assert by_burnside(6) == {"VV": 2, "MM": 3, "VM": 4, "P": 2}
    assert [len(kinds(n)) for n in (3, 4, 6)] == [3, 6, 11]
    assert " ".join(kinds(6)) == "VV2 VV3 MM1 MM2 MM3 VM2L VM2R VM3L VM3R P1 P2"
    assert " ".join(kinds(4)) == "VV2 MM1 MM2 VM2L VM2R P1"
    assert " ".join(kinds(3)) == "MM1 VM2 P1"
    with pytest.raises(ValueError, match="3 sides or more"):
        kinds(2)


@pytest.mark.parametrize("n", SIDES)
def test_a_name_holds_for_all_turns_and_either_end_and_for_no_other_mark(n: int) -> None:
    seen: dict[str, set[tuple[frozenset[int], bool]]] = {}
    for kind, mark in kinds(n).items():
        for k in range(n):
            turn = turned(mark, k)
            assert name(turn) == name(Mark(n, turn.end, turn.start, turn.bent)) == kind
            seen.setdefault(kind, set()).add((frozenset((turn.start, turn.end)), turn.bent))
    everything = [mark for turns in seen.values() for mark in turns]
    assert len(everything) == len(set(everything))


@pytest.mark.parametrize("n", [4, 5, 6, 7, 8])
def test_right_means_clockwise_as_seen_on_the_page_and_left_is_its_mirror_image(n: int) -> None:
    at = points(corners(n))
    for kind, mark in kinds(n).items():
        if family(kind) != "VM" or kind[-1] not in "RL":
            continue
        corner, mid = sorted((mark.start, mark.end), key=lambda p: p % 2)
        (cx, cy), (mx, my) = at[corner], at[mid]
        clockwise = cx * my - cy * mx > 0  # y points down on a page
        assert clockwise == (kind[-1] == "R")
        mirror = Mark(n, -mark.start % (2 * n), -mark.end % (2 * n))
        assert name(mirror) == kind[:-1] + ("L" if kind[-1] == "R" else "R")


COMPASS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
RULED = {
    "I": "s-n w-e", "II": "sw-ne se-nw", "III": "sw-n nw-e ne-s se-w",
    "IV": "sw-e se-n ne-w nw-s", "V": "sw-se se-ne ne-nw nw-sw",
}  # fmt: skip


@pytest.mark.parametrize("kind", RULED)
def test_lightning_has_five_of_the_squares_six(kind: str) -> None:
    """lightning-tiles, and print.md: I = MM2, II = VV2, III = VM2R, IV = VM2L, V = P1."""
    turns = set()
    for k in range(4):
        turn = turned(lightning.kind_mark(kind), k)
        turns.add(frozenset(COMPASS[(p + 1) % 8] for p in (turn.start, turn.end)))
        assert turn.bent == (kind == "V")
    assert turns == {frozenset(pair.split("-")) for pair in RULED[kind].split()}
    assert name(lightning.kind_mark(kind)) == LIGHTNING[kind]
    assert set(LIGHTNING.values()) == set(kinds(4)) - {"MM1"}


def test_the_connective_capacity_counts_points_reached() -> None:
    assert {k: capacity(lightning.kind_mark(k)) for k in RULED} == {
        "I": 4, "II": 4, "III": 8, "IV": 8, "V": 4,
    }  # fmt: skip
    for n, kind in POLYGONS:
        mark = kinds(n)[kind]
        at = points(corners(n))
        reached = {
            tuple(round(v, 6) + 0.0 for v in rotate((at[p],), 360.0 / n * k)[0])
            for k in range(n)
            for p in (mark.start, mark.end)
        }
        assert capacity(mark) == len(reached)


def angle(a: Point, b: Point) -> float:
    return math.degrees(
        math.acos(
            max(-1.0, min(1.0, (a[0] * b[0] + a[1] * b[1]) / math.hypot(*a) / math.hypot(*b)))
        )
    )


@pytest.mark.parametrize(("n", "kind"), POLYGONS)
@pytest.mark.parametrize("style", ["straight", "arc"])
def test_a_track_runs_from_point_to_point_inside_the_tile(n: int, kind: str, style: str) -> None:
    mark, polygon = kinds(n)[kind], corners(n)
    line = track(mark, polygon, style)  # type: ignore[arg-type]
    at = points(polygon)
    way = line.along(40)
    assert distance(way[0], at[mark.start]) < 1e-9
    assert distance(way[-1], at[mark.end]) < 1e-9
    assert max(outside(p, polygon) for p in way[1:-1]) < 0
    if mark.bent:
        assert distance(way[40], (0.0, 0.0)) < 1e-9
    for end, near, out in zip(
        (way[0], way[-1]), (line.along(1000)[1], line.along(1000)[-2]), line.ways_out(), strict=True
    ):
        assert math.hypot(*out) == pytest.approx(1.0)
        assert angle((end[0] - near[0], end[1] - near[1]), out) < 0.1


@pytest.mark.parametrize(("n", "kind"), POLYGONS)
def test_arcs_keep_the_rule_of_print_md(n: int, kind: str) -> None:
    mark, polygon = kinds(n)[kind], corners(n)
    line = track(mark, polygon, "arc")
    at = points(polygon)
    opposite = abs(mark.start - mark.end) == n
    assert (line.centre is None) == (mark.bent or opposite)
    for p, out in zip((mark.start, mark.end), line.ways_out(), strict=True):
        side = (at[(p + 1) % (2 * n)][0] - at[p - 1][0], at[(p + 1) % (2 * n)][1] - at[p - 1][1])
        if p % 2 and not mark.bent:
            assert angle(out, side) == pytest.approx(90.0, abs=0.1)
            if line.centre is not None:  # the centre lies on the side's line
                away = (line.centre[0] - at[p][0], line.centre[1] - at[p][1])
                assert min(angle(away, side), 180 - angle(away, side)) < 1e-4
        if family(kind) == "VV":
            assert angle(out, at[p]) < 0.1  # along the bisector
    if line.centre is not None:
        assert distance(line.centre, at[mark.start]) == pytest.approx(line.radius)
        assert distance(line.centre, at[mark.end]) == pytest.approx(line.radius)
        assert abs(line.angles[1]) < 180.0


@given(
    st.sampled_from(POLYGONS), st.sampled_from(["straight", "arc"]), st.floats(0.3, 3.0),
    st.floats(0.0, 5.0),
)  # fmt: skip
def test_the_blunt_end_of_a_line_lies_outside_the_tile(
    which: tuple[int, str], style: str, width: float, bleed: float
) -> None:
    n, kind = which
    polygon = corners(n)
    line = track(kinds(n)[kind], polygon, style)  # type: ignore[arg-type]
    grown = corners(n, 10.0 + bleed)
    for at, (wx, wy) in zip((line.start, line.end), line.ways_out(), strict=True):
        by = overrun(at, (wx, wy), polygon, width, bleed)
        assert -1e-9 <= by < 40.0
        middle = (at[0] + wx * by, at[1] + wy * by)
        for t in (-0.5, -0.25, 0.0, 0.25, 0.5):
            end = (middle[0] - wy * width * t, middle[1] + wx * width * t)
            assert outside(end, grown) > -1e-6


def test_lines_of_neighbouring_tiles_meet_at_their_points_also_diagonally() -> None:
    """Every point of every square, turned any way, is a point of each neighbour that touches it."""
    size = 23.4
    square = lightning.square(size)
    cells = {(x, y): shift(square, x * size, y * size) for x in (-1, 0, 1) for y in (-1, 0, 1)}
    for p in points(square):
        near = [
            at for at, outline in cells.items()
            if any(distance(p, q) < 1e-9 for q in points(outline))
        ]  # fmt: skip
        corner = abs(abs(p[0]) - abs(p[1])) < 1e-9
        assert len(near) == (4 if corner else 2)


@pytest.mark.parametrize("pointy", [True, False])
def test_hexagons_meet_at_corners_in_threes_and_at_midpoints_in_twos(pointy: bool) -> None:
    tile = hexagon(25.0, pointy=pointy)
    around = [
        shift(tile, 25.0 * math.cos(a), 25.0 * math.sin(a))
        for a in (math.radians(60 * k + (0 if pointy else 30)) for k in range(6))
    ]
    for k, p in enumerate(points(tile)):
        near = sum(any(distance(p, q) < 1e-9 for q in points(other)) for other in around)
        assert near == (2 if k % 2 == 0 else 1)
