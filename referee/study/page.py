"""A report as a page of HTML, which needs nothing else, and as Markdown."""

from __future__ import annotations

from html import escape
from string import Template

from pnp.backends import svg
from pnp.resources import read_text
from pnp.scene import Scene
from referee.study.chart import paint
from referee.study.core import Block, Chart, Heading, Listing, Report


def picture(chart: Chart) -> str:
    """Return a chart's SVG."""
    return svg.render(paint(chart))


def html(report: Report, command: str, table: str) -> str:
    """Return the page; `command` made it, `table` is the file with all figures."""
    body = [_html(block, f"c{number}-") for number, block in enumerate(report.blocks)]
    return Template(read_text("study", "page.html")).substitute(
        title=escape(report.title),
        answer=escape(report.answer),
        body="\n".join(body),
        command=escape(command),
        table=escape(table),
    )


def _html(block: Block, prefix: str) -> str:
    if isinstance(block, str):
        return f"<p>{escape(block)}</p>"
    if isinstance(block, Heading):
        return f"<h2>{escape(block.text)}</h2>"
    if isinstance(block, Chart):
        scene: Scene = paint(block)
        drawn = svg.render(scene, prefix=prefix)
        return f"<figure>{drawn}<figcaption>{escape(block.text)}</figcaption></figure>"
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in block.columns)
    rows = "\n".join(
        "<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in block.rows
    )
    return f'<div class="wide"><table>\n<tr>{head}</tr>\n{rows}\n</table></div>'


def markdown(report: Report, command: str, table: str, pictures: dict[str, str]) -> str:
    """Return the report as Markdown; `pictures` are the files of its charts by their names."""
    parts = [f"# {_plain(report.title)}", _plain(report.answer)]
    for block in report.blocks:
        if isinstance(block, str):
            parts.append(_plain(block))
        elif isinstance(block, Heading):
            parts.append(f"## {_plain(block.text)}")
        elif isinstance(block, Chart):
            text = _plain(block.text)
            parts.append(f"![{text}]({pictures[block.name]})\n\n{text}")
        else:
            parts.append(_listing(block))
    parts.append(f"Made by `{command}`. All figures: [{table}]({table}).")
    return "\n\n".join(parts) + "\n"


def _listing(listing: Listing) -> str:
    lines = [listing.columns, tuple("---" for _ in listing.columns), *listing.rows]
    return "\n".join("| " + " | ".join(_plain(text) for text in line) + " |" for line in lines)


def _plain(text: str) -> str:
    """Return a text with what Markdown would take for markup made plain."""
    return "".join(f"\\{char}" if char in "\\`*_[]<>|#" else char for char in text)
