"""Charts and pages of studies: what stands where, and that nothing is told by the picture alone."""

from __future__ import annotations

import math
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from pnp.scene import Circle, Group, Line, Scene, Text
from referee.study.chart import paint
from referee.study.core import Bar, Chart, Heading, Listing, Report
from referee.study.estimates import Estimate, share
from referee.study.page import html, markdown, picture

CHART = Chart(
    "wins",
    "How often <A> & B win",
    "A wins more.",
    "games won",
    (
        Bar("A", share(60, 100), "one"),
        Bar("B", share(40, 100), "one"),
        Bar("a player with a long name that goes on and on and on", share(50, 100), "two"),
    ),
    mark=0.5,
)
REPORT = Report(
    "A <title>",
    "It is *so*.",
    (Heading("One"), "Words & more.", CHART, Listing(("a", "b"), (("1|", "2"),))),
)


def groups(scene: Scene) -> list[Group]:
    return [item for item in scene.items if isinstance(item, Group)]


def ticks(scene: Scene) -> dict[float, float]:
    """Where the numbers of the axis stand: value to x."""
    return {
        float(item.text.removesuffix(" %").replace("−", "-")): item.x
        for item in scene.items
        if isinstance(item, Text) and item.anchor == "middle" and item.text[-1] in "%0123456789"
    }


def test_dots_and_whiskers_stand_at_their_values() -> None:
    scene = paint(CHART)
    axis = ticks(scene)
    (v0, x0), *_, (v1, x1) = sorted(axis.items())
    for group, bar in zip(groups(scene), CHART.bars, strict=True):
        (dot,) = [item for item in group.items if isinstance(item, Circle)]
        (line,) = [item for item in group.items if isinstance(item, Line)]
        found = [
            v0 + (x - x0) / (x1 - x0) * (v1 - v0) for x in (dot.x, *(p[0] for p in line.points))
        ]
        assert found == pytest.approx([100 * part for part in bar.value])
        assert all(point[1] == dot.y for point in line.points)


def test_everything_stands_within_the_picture_and_on_lines_of_its_own() -> None:
    scene = paint(CHART)
    texts = [item for item in scene.items if isinstance(item, Text)]
    texts += [item for group in groups(scene) for item in group.items if isinstance(item, Text)]
    from pnp import fonts

    boxes = [fonts.load().text_box(text) for text in texts]
    for left, top, right, bottom in boxes:
        assert left >= 0 and top >= 0 and right <= scene.width and bottom <= scene.height  # noqa: PT018
    for i, one in enumerate(boxes):
        for other in boxes[:i]:
            apart = one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]
            assert apart, "two texts overlap"


def test_the_description_tells_every_value() -> None:
    scene = paint(CHART)
    assert scene.title == CHART.title
    for bar in CHART.bars:
        assert f"{bar.label}: {bar.value.percent()}" in scene.description
    root = ElementTree.fromstring(picture(CHART))
    told = [element.text for element in root.iter() if element.tag.endswith(("title", "desc"))]
    assert CHART.title in told
    assert scene.description in told


@pytest.mark.parametrize(
    "bars",
    [
        (Bar("same", Estimate(3.0, 3.0, 3.0)),),
        (Bar("few", Estimate(3.0, -math.inf, math.inf)),),
        (Bar("nought", Estimate(0.0, 0.0, 0.0)), Bar("less", Estimate(-5.0, -9.0, -1.0))),
        (Bar("tiny", Estimate(1e-6, 0.0, 2e-6)),),
        (Bar("huge", Estimate(123456.0, 120000.0, 130000.0)),),
    ],
    ids=["same", "few", "negative", "tiny", "huge"],
)
@pytest.mark.parametrize("percent", [True, False])
def test_any_values_make_a_picture(bars: tuple[Bar, ...], percent: bool) -> None:
    text = picture(Chart("x", "Title", "Text.", "axis", bars, percent=percent))
    assert "nan" not in text
    assert "inf" not in text.replace("infinite", "")
    ElementTree.fromstring(text)


def test_no_bars_are_no_chart() -> None:
    with pytest.raises(ValueError, match="an estimate"):
        paint(CHART._replace(bars=()))


class Reader(HTMLParser):
    """Checks that what is opened is closed, and collects texts."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_the_page_holds_all_parts_and_needs_nothing_else() -> None:
    page = html(REPORT, "referee study x --seed 1", "x.csv")
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    text = " ".join(reader.texts)
    for part in ("A <title>", "It is *so*.", "Words & more.", "A wins more.", "1|", "--seed 1"):
        assert part in text
    assert "http://" not in page.replace("http://www.w3.org/", "").replace(
        "http://www.inkscape.org/", ""
    )
    assert page.count("<svg") == 1


def test_markdown_takes_no_word_for_markup() -> None:
    text = markdown(REPORT, "referee study x", "x.csv", {"wins": "x-wins.svg"})
    assert "# A \\<title\\>" in text
    assert "It is \\*so\\*." in text
    assert "| 1\\| | 2 |" in text
    assert "](x-wins.svg)" in text
