"""A reader of TrueType files: metrics and outlines of characters, each parsed when first asked for.

Only what drawing needs is read (head, hhea, maxp, hmtx, cmap, loca, glyf), so that opening a font
costs a millisecond or two; a library that models whole fonts takes longer to import than our page
takes to make (decisions/0001-ink.md). All figures are in font units with y pointing up, as in the
file. The tables are those of the OpenType specification; PostScript outlines are refused, since the
PDF writer cannot embed them.
"""

from __future__ import annotations

import struct
from functools import cached_property
from itertools import pairwise

from pnp.errors import PnpError
from pnp.geometry import Box

Step = tuple[str | float, ...]
"""("M", x, y), ("L", x, y), ("Q", x1, y1, x, y) or ("Z",), absolute."""

_Contour = list[tuple[float, float, bool]]

_NEEDED = ("head", "hhea", "maxp", "hmtx", "cmap", "loca", "glyf", "post")
_MAX_PARTS = 64  # parts of a composite glyph and their parts; more is broken or hostile


class Face:
    """One font. `name` says where it comes from, in messages.

    Raises PnpError from the constructor where the tables that drawing needs are missing or cut
    short. A single broken glyph raises PnpError when it is first drawn.
    """

    def __init__(self, data: bytes, name: str) -> None:
        self.data = data
        self.name = name
        self._steps: dict[int, tuple[Step, ...]] = {}
        self._measured: dict[int, tuple[int, Box | None]] = {}
        try:
            self.tables = self._directory()
            self._read_heads()
            self.cmap = self._read_cmap()
            self._read_metrics()
        except (struct.error, IndexError, OverflowError) as error:
            raise self._broken("it is cut short") from error

    def _broken(self, why: str) -> PnpError:
        return PnpError(
            f"{self.name} is not a TrueType font that can be read: {why}; "
            "give another --font FILE.ttf"
        )

    def _directory(self) -> dict[str, tuple[int, int]]:
        """Return offset and length of each table."""
        start = 0
        if self.data[:4] == b"ttcf":  # a collection: its first font
            (start,) = struct.unpack_from(">L", self.data, 12)
        tag = self.data[start : start + 4]
        if tag == b"OTTO":
            raise self._broken("its outlines are PostScript (OpenType CFF)")
        if tag not in (b"\0\1\0\0", b"true"):
            raise self._broken("it does not begin as one")
        (count,) = struct.unpack_from(">H", self.data, start + 4)
        tables: dict[str, tuple[int, int]] = {}
        for k in range(count):
            raw, _, offset, length = struct.unpack_from(">4sLLL", self.data, start + 12 + 16 * k)
            if offset + length > len(self.data):
                raise self._broken("it is cut short")
            tables[raw.decode("latin-1")] = (offset, length)
        missing = [tag for tag in _NEEDED if tag not in tables]
        if missing:
            raise self._broken(f"the table {missing[0]} is missing")
        return tables

    def _at(self, tag: str, offset: int, layout: str) -> tuple[int, ...]:
        return struct.unpack_from(">" + layout, self.data, self.tables[tag][0] + offset)

    def _read_heads(self) -> None:
        (self.units,) = self._at("head", 18, "H")
        if not 16 <= self.units <= 16384:
            raise self._broken(f"it has {self.units} units an em, not 16 to 16384")
        self.box: Box = self._at("head", 36, "4h")  # type: ignore[assignment]  # four shorts are four numbers
        (self._long_loca,) = self._at("head", 50, "h")
        self.ascent, self.descent = self._at("hhea", 4, "2h")
        (self._metrics,) = self._at("hhea", 34, "H")
        (self.glyphs,) = self._at("maxp", 4, "H")
        self.weight, self.embedding = 400, 0
        if "OS/2" in self.tables:
            self.weight, _, self.embedding = self._at("OS/2", 4, "3H")
        whole, part = self._at("post", 4, "hH")
        self.italic_angle = whole + part / 65536.0

    def _read_cmap(self) -> dict[int, int]:
        """Return code point → glyph from the widest Unicode table of the font."""
        (count,) = self._at("cmap", 2, "H")
        best: tuple[int, int] | None = None
        for k in range(count):
            platform, encoding, offset = self._at("cmap", 4 + 8 * k, "HHL")
            (kind,) = self._at("cmap", offset, "H")
            unicode = platform == 0 or (platform == 3 and encoding in (1, 10))
            if unicode and kind in (4, 12) and (best is None or kind > best[0]):
                best = (kind, offset)
        if best is None:
            raise self._broken("it has no Unicode table of characters")
        codes = self._cmap12(best[1]) if best[0] == 12 else self._cmap4(best[1])
        if codes and min(codes.values()) > 0 and max(codes.values()) < self.glyphs:
            return codes
        return {code: glyph for code, glyph in codes.items() if 0 < glyph < self.glyphs}

    def _cmap4(self, base: int) -> dict[int, int]:
        (double,) = self._at("cmap", base + 6, "H")
        n = double // 2
        ends = self._at("cmap", base + 14, f"{n}H")
        starts = self._at("cmap", base + 16 + double, f"{n}H")
        deltas = self._at("cmap", base + 16 + 2 * double, f"{n}H")
        ranges = self._at("cmap", base + 16 + 3 * double, f"{n}H")
        codes: dict[int, int] = {}
        before = -1
        for k, (first, last, delta, shift) in enumerate(
            zip(starts, ends, deltas, ranges, strict=True)
        ):
            if not before < first <= last:
                raise self._broken("its table of characters is out of order")
            before = last
            if first == 0xFFFF:  # the mark of the end
                break
            if shift == 0:
                glyph, end = (first + delta) & 0xFFFF, (last + delta) & 0xFFFF
                if glyph <= end:
                    codes.update(zip(range(first, last + 1), range(glyph, end + 1), strict=True))
                else:  # the numbers of the glyphs run over the top
                    codes.update((c, (c + delta) & 0xFFFF) for c in range(first, last + 1))
                continue
            place = base + 16 + 3 * double + 2 * k + shift
            found = self._at("cmap", place, f"{last - first + 1}H")
            codes.update((first + i, (g + delta) & 0xFFFF) for i, g in enumerate(found) if g)
        return codes

    def _cmap12(self, base: int) -> dict[int, int]:
        (count,) = self._at("cmap", base + 12, "L")
        codes: dict[int, int] = {}
        before = -1
        for k in range(count):
            first, last, glyph = self._at("cmap", base + 16 + 12 * k, "3L")
            if not before < first <= last <= 0x10FFFF:
                raise self._broken("its table of characters is out of order")
            before = last
            codes.update(
                zip(range(first, last + 1), range(glyph, glyph + last - first + 1), strict=True)
            )
        return codes

    def _read_metrics(self) -> None:
        n = self._metrics
        if not 0 < n <= self.glyphs:
            raise self._broken("its table of widths is empty")
        flat = self._at("hmtx", 0, f"{2 * n}H")
        self.advances = flat[::2]
        self.places = (
            self._at("loca", 0, f"{self.glyphs + 1}L")
            if self._long_loca
            else tuple(2 * p for p in self._at("loca", 0, f"{self.glyphs + 1}H"))
        )

    @cached_property
    def bearings(self) -> tuple[int, ...]:
        """The left side bearing of each glyph, read as unsigned as the file's bytes stand."""
        n = self._metrics
        rest = self._at("hmtx", 4 * n, f"{self.glyphs - n}H")
        return self._at("hmtx", 0, f"{2 * n}H")[1::2] + rest

    def advance(self, code: int) -> int:
        """Return the width of a character, 0 for one that the font lacks."""
        glyph = self.cmap.get(code)
        return 0 if glyph is None else self.glyph_advance(glyph)

    def glyph_advance(self, glyph: int) -> int:
        """Return the width of a glyph by number."""
        advances = self.advances
        return advances[glyph] if glyph < len(advances) else advances[-1]

    def steps(self, code: int) -> tuple[Step, ...]:
        """Return a character's outline as straight and quadratic steps; none for blank or missing."""
        glyph = self.cmap.get(code)
        if glyph is None:
            return ()
        if glyph not in self._steps:
            try:
                contours = self._contours(glyph, [_MAX_PARTS])
            except (struct.error, IndexError) as error:
                raise self._broken(f"the outline of U+{code:04X} is damaged") from error
            self._steps[glyph] = tuple(step for c in contours for step in _steps(c))
        return self._steps[glyph]

    def metrics(self, code: int) -> tuple[int, Box | None]:
        """Return the width of a character and the box of its outline (left, bottom, right, top).

        The box is that of the curve itself, not of its control points; None for blanks and missing characters.
        """
        found = self._measured.get(code)
        if found is None:
            found = self._measured[code] = (self.advance(code), _box(self.steps(code)))
        return found

    def _contours(self, glyph: int, parts_left: list[int]) -> list[_Contour]:
        parts_left[0] -= 1
        if parts_left[0] < 0 or not 0 <= glyph < self.glyphs:
            raise IndexError(glyph)
        begin, end = self.places[glyph], self.places[glyph + 1]
        if end <= begin:
            return []
        at = self.tables["glyf"][0] + begin
        (count,) = struct.unpack_from(">h", self.data, at)
        return self._simple(at + 10, count) if count >= 0 else self._composite(at + 10, parts_left)

    def _simple(self, at: int, count: int) -> list[_Contour]:
        data = self.data
        ends = struct.unpack_from(f">{count}H", data, at)
        total = ends[-1] + 1 if ends else 0
        (hints,) = struct.unpack_from(">H", data, at + 2 * count)
        at += 2 * count + 2 + hints
        flags: list[int] = []
        while len(flags) < total:
            flag = data[at]
            at += 1
            flags.append(flag)
            if flag & 8:
                flags += [flag] * data[at]
                at += 1
        xs, at = self._run(at, flags[:total], 2, 16)
        ys, at = self._run(at, flags[:total], 4, 32)
        points = [(float(x), float(y), bool(f & 1)) for x, y, f in zip(xs, ys, flags, strict=False)]
        starts = [0, *(e + 1 for e in ends)]
        return [points[a:b] for a, b in pairwise(starts) if a < b]

    def _run(self, at: int, flags: list[int], short: int, same: int) -> tuple[list[int], int]:
        """Read a run of coordinate differences; return the coordinates and where the run ends."""
        value, out = 0, []
        for flag in flags:
            if flag & short:
                value += self.data[at] if flag & same else -self.data[at]
                at += 1
            elif not flag & same:
                value += struct.unpack_from(">h", self.data, at)[0]
                at += 2
            out.append(value)
        return out, at

    def _composite(self, at: int, parts_left: list[int]) -> list[_Contour]:
        out: list[_Contour] = []
        more = True
        while more:
            flags, glyph = struct.unpack_from(">2H", self.data, at)
            words = flags & 1
            layout = ("2h" if flags & 2 else "2H") if words else ("2b" if flags & 2 else "2B")
            first, second = struct.unpack_from(">" + layout, self.data, at + 4)
            at += 8 if words else 6
            size = 1 if flags & 8 else 2 if flags & 64 else 4 if flags & 128 else 0
            raw = [v / 16384.0 for v in struct.unpack_from(f">{size}h", self.data, at)]
            at += 2 * size
            a, b, c, d = {
                0: [1.0, 0.0, 0.0, 1.0],
                1: [*raw, 0.0, 0.0, *raw],
                2: [*raw[:1], 0.0, 0.0, *raw[1:]],
            }.get(size, raw)
            part = [
                [(a * x + c * y, b * x + d * y, on) for x, y, on in line]
                for line in self._contours(glyph, parts_left)
            ]
            if flags & 2:
                dx, dy = float(first), float(second)
            else:  # two points that must meet: one of what stands, one of the new part
                here = [p for line in out for p in line][first]
                there = [p for line in part for p in line][second]
                dx, dy = here[0] - there[0], here[1] - there[1]
            out += [[(x + dx, y + dy, on) for x, y, on in line] for line in part]
            more = bool(flags & 32)
        return out


def _steps(points: _Contour) -> list[Step]:
    """Return one closed contour as steps.

    Between two control points the curve passes through their middle.
    """
    if not points[0][2]:
        last = points[-1]
        if last[2]:
            points = [last, *points[:-1]]
        else:
            points = [((points[0][0] + last[0]) / 2, (points[0][1] + last[1]) / 2, True), *points]
    out: list[Step] = [("M", points[0][0], points[0][1])]
    control: tuple[float, float] | None = None
    for x, y, on in [*points[1:], points[0]]:
        if control is None:
            if on:
                out.append(("L", x, y))
            else:
                control = (x, y)
        elif on:
            out.append(("Q", *control, x, y))
            control = None
        else:
            out.append(("Q", *control, (control[0] + x) / 2, (control[1] + y) / 2))
            control = (x, y)
    if out[-1][0] == "L":  # the closing stroke draws it
        out.pop()
    return [*out, ("Z",)]


def _box(steps: tuple[Step, ...]) -> Box | None:
    """Return the exact box of an outline: corners, ends, and the turning points of its curves."""
    xs: list[float] = []
    ys: list[float] = []
    x = y = 0.0
    for step in steps:
        if step[0] == "Z":
            continue
        numbers = [float(v) for v in step[1:]]
        if step[0] == "Q":
            xs += _turn(x, numbers[0], numbers[2])
            ys += _turn(y, numbers[1], numbers[3])
        x, y = numbers[-2:]
        xs.append(x)
        ys.append(y)
    return (min(xs), min(ys), max(xs), max(ys)) if xs else None


def _turn(a: float, b: float, c: float) -> list[float]:
    """Return where a quadratic curve in one coordinate turns round, if it does between its ends."""
    bend = a - 2 * b + c
    if bend == 0:
        return []
    t = (a - b) / bend
    return [a + 2 * t * (b - a) + t * t * bend] if 0 < t < 1 else []
