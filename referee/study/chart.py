"""A chart as a Scene: a line for each estimate, a dot at its value, whiskers to the ends of its 95 % interval."""

from __future__ import annotations

import math
from itertools import groupby
from typing import Final

from pnp import fonts
from pnp.scene import Circle, Group, Item, Line, Lines, Polygon, Scene, Style, Text
from referee.study.core import Bar, Chart

WIDTH: Final = 170.0
MARGIN: Final = 4.0
ROW: Final = 6.0
LABELS: Final = 62.0
"""The widest that labels may be, in mm; a longer one is set smaller."""
SIZE: Final = 3.4
SMALL: Final = 3.0
TITLE: Final = 4.2
TICKS: Final = 6
"""About so many numbers stand along the axis."""

INK, SOFT, GRID, MARK, GROUND = "#1d2129", "#555b66", "#d8dbe0", "#8a5a00", "#ffffff"


def paint(chart: Chart) -> Scene:
    """Return the picture; its description tells every value. Raises ValueError for a chart without bars."""
    if not chart.bars:
        raise ValueError("a chart needs an estimate to show")
    return _Painter(chart).scene()


def told(bar: Bar, percent: bool) -> str:
    """Return a bar's value as it stands beside it."""
    value = 100.0 * bar.value.value if percent else bar.value.value
    return f"{value:.1f} %" if percent else f"{value:.{0 if abs(value) >= 100 else 1}f}"


class _Painter:
    """A chart being laid out: `low` to `high` in steps of `step` run from `left` to `right` mm."""

    def __init__(self, chart: Chart) -> None:
        self.chart = chart
        self.fonts = fonts.load()
        self.low, self.high, self.step = _scale(chart)
        labels = max(self.fonts.width(bar.label, SIZE) for bar in chart.bars)
        values = max(self.fonts.width(told(bar, chart.percent), SMALL) for bar in chart.bars)
        self.left = MARGIN + min(LABELS, labels) + 3.0
        self.right = WIDTH - MARGIN - values - 3.0

    def across(self, value: float) -> float:
        """Return the x of a value; beyond the axis it is the axis' end."""
        part = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.left + part * (self.right - self.left)

    def scene(self) -> Scene:
        title_at = MARGIN + TITLE
        top = title_at + 3.5
        marks, bottom = self._marks(top)
        foot = bottom + 9.0
        height = foot + MARGIN - 1.0
        corners = ((0.0, 0.0), (WIDTH, 0.0), (WIDTH, height), (0.0, height))
        items = (
            Polygon(corners, Style(fill=GROUND)),
            self._text(self.chart.title, MARGIN, title_at, TITLE, WIDTH - 2 * MARGIN, bold=True),
            *self._axis(top, bottom),
            *marks,
            Text(
                (self.left + self.right) / 2.0,
                foot,
                self.chart.axis,
                SMALL,
                SOFT,
                anchor="middle",
            ),
        )
        return Scene(
            WIDTH, height, items, title=self.chart.title, description=_description(self.chart)
        )

    def _text(
        self, text: str, x: float, y: float, size: float, room: float, *, bold: bool = False
    ) -> Text:
        """Return a text that is set smaller where it is wider than its room."""
        weight = "bold" if bold else "regular"
        wide = self.fonts.width(text, size, "bold" if bold else "regular")
        size = size if wide <= room else size * room / wide
        return Text(x, y, text, size, INK, weight="bold" if weight == "bold" else "regular")

    def _marks(self, y: float) -> tuple[list[Item], float]:
        marks: list[Item] = []
        for group, bars in groupby(self.chart.bars, key=lambda bar: bar.group):
            if group:
                y += ROW
                marks.append(
                    self._text(group, MARGIN, y - 1.4, SIZE, WIDTH - 2 * MARGIN, bold=True)
                )
            for bar in bars:
                marks.append(self._bar(bar, y + ROW / 2.0))
                y += ROW
        return marks, y

    def _bar(self, bar: Bar, y: float) -> Group:
        value, low, high = bar.value
        line = Style(stroke=INK, width=0.5)
        items: list[Item] = []
        label = self._text(bar.label, MARGIN, y, SIZE, self.left - MARGIN - 2.0)
        items.append(label._replace(valign="cap"))
        ends = (self.across(low), self.across(high))
        items.append(Line(((ends[0], y), (ends[1], y)), line))
        caps = [x for x, end in zip(ends, (low, high), strict=True) if self.low <= end <= self.high]
        items.append(Lines(tuple((x, y - 1.1, x, y + 1.1) for x in caps), line))
        if self.low <= value <= self.high:
            items.append(Circle(self.across(value), y, 1.05, Style(fill=INK)))
        text = told(bar, self.chart.percent)
        items.append(Text(WIDTH - MARGIN, y, text, SMALL, INK, anchor="end", valign="cap"))
        return Group(tuple(items), title=_spoken(bar, self.chart.percent))

    def _axis(self, top: float, bottom: float) -> list[Item]:
        items: list[Item] = []
        ticks = round((self.high - self.low) / self.step)
        values = [self.low + self.step * k for k in range(ticks + 1)]
        grid = tuple((self.across(v), top, self.across(v), bottom) for v in values)
        items.append(Lines(grid, Style(stroke=GRID, width=0.2)))
        if self.chart.mark is not None and self.low <= self.chart.mark <= self.high:
            x = self.across(self.chart.mark)
            dashed = Style(stroke=MARK, width=0.4, dash=(1.2, 0.8))
            items.append(Line(((x, top), (x, bottom)), dashed))
        for value in values:
            items.append(
                Text(
                    self.across(value),
                    bottom + 4.0,
                    self._number(value),
                    SMALL,
                    SOFT,
                    anchor="middle",
                )
            )
        return items

    def _number(self, value: float) -> str:
        scale = 100.0 if self.chart.percent else 1.0
        digits = max(0, -math.floor(math.log10(self.step * scale) + 1e-9))
        text = f"{value * scale:.{digits}f}"
        text = text.removeprefix("-") if float(text) == 0.0 else text.replace("-", "−")
        return f"{text} %" if self.chart.percent else text


def _scale(chart: Chart) -> tuple[float, float, float]:
    """Return the ends and the step of the axis: round numbers round all intervals that have ends, and the mark."""
    ends = [x for bar in chart.bars for x in bar.value if math.isfinite(x)]
    ends += [] if chart.mark is None else [chart.mark]
    low, high = min(ends), max(ends)
    if chart.percent and low >= 0.0 and high <= 1.0 and high - low > 0.6:
        low, high = 0.0, 1.0
    if high - low < 1e-9:
        low, high = low - 0.5 * (abs(low) or 1.0), high + 0.5 * (abs(high) or 1.0)
    rough = (high - low) / TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * k for k in (1.0, 2.0, 5.0, 10.0) if power * k >= rough * 0.999)
    return (math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step, step)


def _spoken(bar: Bar, percent: bool) -> str:
    if not math.isfinite(bar.value.half):
        return f"{bar.label}: {told(bar, percent)}, too few games for an interval"
    words = bar.value.percent() if percent else bar.value.plain(2)
    return f"{bar.label}: {words}"


def _description(chart: Chart) -> str:
    """Return the chart in words: what is to be seen, then every value with its interval."""
    parts = []
    for group, bars in groupby(chart.bars, key=lambda bar: bar.group):
        spoken = "; ".join(_spoken(bar, chart.percent) for bar in bars)
        parts.append(f"{group}: {spoken}" if group else spoken)
    return f"{chart.text} {chart.axis}, with 95 % intervals. {'. '.join(parts)}."
