"""Scenes that the tests and benches of the backends draw: a board with stones, and one of each shape."""

from __future__ import annotations

from pnp.boards import rhombus
from pnp.geometry import Point
from pnp.scene import (
    Arc,
    Circle,
    Curve,
    Group,
    Item,
    Line,
    Lines,
    Polygon,
    Scene,
    Style,
    Text,
    Use,
)

_STONES: dict[str, tuple[Item, ...]] = {
    "red": (Circle(0, 0, 4, Style(fill="#cc2222", stroke="#000000", width=0.2)),),
    "blue": (
        Circle(0, 0, 4, Style(fill="#2222cc", stroke="#000000", width=0.2)),
        Circle(0, 0, 2, Style(stroke="#ffffff", width=0.5)),
    ),
}


def board(n: int = 11, cell: float = 10.0, stones: int = 60) -> Scene:
    """Return a Hex board with a label in each cell and stones on some, 10 mm of ground around it."""
    hexes = rhombus(n)
    left, top, right, bottom = hexes.box

    def at(p: Point) -> Point:
        return ((p[0] - left) * cell + 10.0, (p[1] - top) * cell + 10.0)

    items: list[Item] = [
        Polygon(tuple(map(at, outline)), Style(fill="#f0e0c0")) for outline in hexes.outlines
    ]
    edges: dict[frozenset[Point], tuple[float, float, float, float]] = {}
    for outline in hexes.outlines:
        for p, q in zip(outline, outline[1:] + outline[:1], strict=True):
            key = frozenset((round(x, 6), round(y, 6)) for x, y in (p, q))
            edges.setdefault(key, (*at(p), *at(q)))
    items.append(Lines(tuple(edges.values()), Style(stroke="#333333", width=0.3, cap="round")))
    for label, centre in zip(hexes.labels, hexes.centres, strict=True):
        x, y = at(centre)
        items.append(Text(x, y, label, cell * 0.3, "#444444", "middle", "ink"))
    for k in range(stones):
        x, y = at(hexes.centres[k * 37 % len(hexes)])
        items.append(Use("red" if k % 2 else "blue", x, y))
    return Scene(
        (right - left) * cell + 20.0,
        (bottom - top) * cell + 20.0,
        tuple(items),
        _STONES,
        f"Hex {n} × {n}",
        "a position",
    )


def a4_board() -> Scene:
    """Return the board on a whole sheet of A4, lying."""
    return board(cell=11.0)._replace(width=297.0, height=210.0)


def shapes() -> Scene:
    """Return 100 × 80 mm with every shape, clips, turns, scales, a symbol in a symbol, hard text."""
    both = Style(fill="#ffcc00", stroke="#000000", width=0.3)
    dashed = Style(stroke="#00aa00", width=1, dash=(2, 1), cap="round", join="round")
    clipped = Group(
        (
            Circle(0, 0, 5, both),
            Text(0, 0, "x9", 5, anchor="middle", valign="ink"),
            Use("bar", 0, 0, 15),
        ),
        clip=((-4, -4), (4, -4), (4, 4), (-4, 4)),
        title="clipped <&>",
        dx=85,
        dy=65,
        turn=30,
        scale=1.5,
    )
    return Scene(
        100,
        80,
        (
            Polygon(((5, 5), (30, 5), (30, 25)), both),
            Line(((40, 5), (60, 10), (50, 20)), dashed),
            Lines(((62, 5, 62, 20), (64, 5, 64, 20)), Style(stroke="#aa00aa", width=0.2)),
            Circle(75, 15, 8, Style(fill="#8888ff")),
            Arc(20, 50, 12, 30, 200, Style(stroke="#ff0000", width=0.8)),
            Curve((("M", 50, 40), ("C", 60, 30, 70, 60, 60, 60), ("L", 50, 55), ("Z",)), both),
            Text(5, 75, "Ünïcode <&> ♠♥♦♣ Ągström", 4),
            Text(80, 45, "turn", 6, "#004400", "middle", "cap", "bold", 45),
            Use("crossed", 40, 40, 20),
            clipped,
            Group((Lines(((2, 2, 98, 2), (2, 2, 2, 78)), both),), layer="cut"),
        ),
        {
            "bar": (Line(((-6, 0), (6, 0)), Style(stroke="#ff00ff", width=0.5)),),
            "crossed": (Use("bar", 0, 0), Use("bar", 0, 0, 90), Text(2, -2, "Q", 4)),
            "never used": (Text(0, 0, "漢", 4),),
        },
        "Shapes <&> é",
        "one of each",
    )
