"""The options that every component has, as plain data and as one typed value.

Precedence: command line, then preset, then (paper only) the environment's PNP_PAPER, then default.
"""

# no annotations of the future here: NamedTuple compiles each that is text, a third of the import
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal, NamedTuple, cast, get_args

from pnp.errors import PnpError
from pnp.paper import Orientation, Paper, parse_paper
from pnp.units import MM_PER_POINT, format_mm
from pnp.values import Option, Value, Values, suggestion

__all__ = [
    "COMMON",
    "Backs",
    "Common",
    "Format",
    "Marks",
    "Nest",
    "Option",
    "Options",
    "Value",
    "suggestion",
]

Format = Literal["pdf", "svg", "png"]
Marks = Literal["none", "edge", "cross", "full"]
Backs = Literal["none", "duplex-long", "duplex-short", "fold", "separate"]
Nest = Literal["knife", "straight", "boxes"]

COMMON: tuple[Option, ...] = (
    Option(
        "paper",
        "text",
        "a4, letter, a3, tabloid, legal or WxHmm; PNP_PAPER sets the default",
        "a4",
        metavar="PAPER",
    ),
    Option(
        "orientation",
        "choice",
        "how the sheet lies; auto takes what holds more",
        "auto",
        choices=get_args(Orientation),
    ),
    Option("margin", "lengths", "blank margin: one length, or top,right,bottom,left", (10.0,)),
    Option("format", "choice", "kind of file", "pdf", choices=get_args(Format)),
    Option("dpi", "number", "resolution of PNG", 300.0, least=10, most=2400),
    Option(
        "theme",
        "text",
        "colour, colour-blind, grey, ink-saver, or a TOML file",
        "colour",
        metavar="THEME",
    ),
    Option(
        "output",
        "file",
        "a file if it ends in the format's suffix, else a folder",
        Path("output"),
        metavar="PATH",
    ),
    Option("title", "text", "title on the sheets and in the file"),
    Option("labels", "flag", "coordinates and codes on what is printed", True),
    Option(
        "font", "file", "a TrueType font for letters that the shipped one lacks", metavar="FILE.ttf"
    ),
    Option("copies", "int", "how many of everything", 1, least=1, most=1000),
    Option(
        "marks",
        "choice",
        "crop marks; edge for what is cut out, none for boards",
        choices=get_args(Marks),
    ),
    Option("gutter", "length", "gap between pieces", 0.0, least=0, most=100, positive=False),
    Option(
        "bleed",
        "length",
        "how far faces run past the cut; needs a gutter of twice that",
        0.0,
        least=0,
        most=20,
        positive=False,
    ),
    Option("backs", "choice", "where backs are printed", "none", choices=get_args(Backs)),
    Option(
        "front-offset",
        "lengths",
        "move fronts right and up, as one looks at the front",
        (0.0, 0.0),
        metavar="DX,DY",
    ),
    Option(
        "back-offset",
        "lengths",
        "move backs right and up, as one looks at the back",
        (0.0, 0.0),
        metavar="DX,DY",
    ),
    Option(
        "back-rotate",
        "choice",
        "turn back pages, for a printer that turns them",
        "0",
        choices=("0", "180"),
    ),
    Option(
        "nest",
        "choice",
        "how hexagons lie: knife, cut edge by edge; straight, by straight cuts; boxes, in rows",
        "knife",
        choices=get_args(Nest),
    ),
    Option(
        "scale-x",
        "number",
        "scale everything across, about the page's centre",
        1.0,
        least=0.8,
        most=1.25,
    ),
    Option("scale-y", "number", "scale everything down the page", 1.0, least=0.8, most=1.25),
    Option(
        "printer",
        "text",
        "offsets and scales of a printer, as `pnp calibrate` keeps them",
        metavar="NAME",
    ),
    Option("single", "flag", "each kind of piece, or each board, on a page of its own size", False),
    Option("split", "flag", "a board larger than the paper on several sheets to join", False),
    Option("overlap", "length", "what the sheets of a split board share", 10.0, least=2, most=50),
    Option("cut-layer", "flag", "cut lines in a layer of their own, for plotters", False),
    Option("cut-only", "flag", "cut lines and nothing else, in SVG", False),
    Option(
        "cut-width",
        "length",
        "width of the cut lines, 0.25 pt; laser cutters want a hairline",
        0.25 * MM_PER_POINT,
        least=0.01,
        most=2,
    ),
    Option("transparent", "flag", "PNG without a white ground", False),
)
"""The options that every component has, in the order of the help."""


class Common(NamedTuple):
    """The common options, typed. Lengths in mm.

    margin        top, right, bottom, left as one looks at the sheet
    marks         None where not given: edge on sheets of pieces, none on boards
    front_offset  right, up, as one looks at the front; back_offset the same of the back
    cut_layer     whether there are cut lines; with cut_only there is nothing else
    """

    paper: Paper
    orientation: Orientation = "auto"
    margin: tuple[float, float, float, float] = (10.0, 10.0, 10.0, 10.0)
    format: Format = "pdf"
    dpi: float = 300.0
    theme: str = "colour"
    output: Path = Path("output")
    title: str | None = None
    labels: bool = True
    font: Path | None = None
    copies: int = 1
    marks: Marks | None = None
    gutter: float = 0.0
    bleed: float = 0.0
    backs: Backs = "none"
    front_offset: tuple[float, float] = (0.0, 0.0)
    back_offset: tuple[float, float] = (0.0, 0.0)
    back_rotate: bool = False
    nest: Nest = "knife"
    scale: tuple[float, float] = (1.0, 1.0)
    single: bool = False
    transparent: bool = False
    cut_layer: bool = False
    cut_only: bool = False
    cut_width: float = 0.25 * MM_PER_POINT
    split: bool = False
    overlap: float = 10.0


class Options(Values):
    """What a component's `build` reads: its own values by name, the common ones as `common`."""

    def __init__(
        self,
        own: Iterable[Option],
        given: Mapping[str, Value],
        environ: Mapping[str, str] | None = None,
    ) -> None:
        """`given` maps names of own and common options to typed values; `environ` may hold
        PNP_PAPER.

        Raises PnpError for values that are wrong together (a margin of three lengths, an unknown
        paper).
        """
        merged = {option.name: option for option in COMMON} | {
            option.name: option for option in own
        }
        super().__init__(merged.values(), given)
        self.common = _common(self, environ or {})


def _common(values: Values, environ: Mapping[str, str]) -> Common:
    scale = (values.number("scale-x"), values.number("scale-y"))
    cut_only = values.flag("cut-only")
    if cut_only and values.word("format") != "svg":
        raise PnpError("--cut-only is for --format svg; --cut-layer adds cut lines to a PDF")
    gutter, bleed = values.length("gutter"), values.length("bleed")
    if bleed and gutter < 2 * bleed - 1e-6:
        raise PnpError(
            f"--bleed {format_mm(bleed)} needs --gutter {format_mm(2 * bleed)} or more,"
            " for each piece bleeds into the gap"
        )
    return Common(
        paper=_paper(values, environ),
        orientation=cast("Orientation", values.word("orientation")),
        margin=_margin(values.lengths("margin")),
        format=cast("Format", values.word("format")),
        dpi=values.number("dpi"),
        theme=values.word("theme"),
        output=values.path("output") or Path("output"),
        title=" ".join((values.text("title") or "").split()) or None,
        labels=values.flag("labels"),
        font=values.path("font"),
        copies=values.integer("copies"),
        marks=cast("Marks | None", values.text("marks")),
        gutter=gutter,
        bleed=bleed,
        backs=cast("Backs", values.word("backs")),
        front_offset=_offset(values, "front-offset"),
        back_offset=_offset(values, "back-offset"),
        back_rotate=values.word("back-rotate") == "180",
        nest=cast("Nest", values.word("nest")),
        scale=scale,
        single=values.flag("single"),
        transparent=values.flag("transparent"),
        cut_layer=cut_only or values.flag("cut-layer"),
        cut_only=cut_only,
        cut_width=values.length("cut-width"),
        split=values.flag("split"),
        overlap=values.length("overlap"),
    )


def _paper(values: Values, environ: Mapping[str, str]) -> Paper:
    if not values.given("paper") and environ.get("PNP_PAPER"):
        try:
            return parse_paper(environ["PNP_PAPER"])
        except PnpError as error:
            raise PnpError(f"PNP_PAPER: {error}") from None
    try:
        return parse_paper(values.word("paper"))
    except PnpError as error:
        raise PnpError(f"--paper: {error}") from None


def _offset(values: Values, name: str) -> tuple[float, float]:
    lengths = values.lengths(name)
    if len(lengths) != 2:
        raise PnpError(f"--{name}: write two lengths, DX,DY, such as 0.5,-1")
    return (lengths[0], lengths[1])


def _margin(lengths: tuple[float, ...]) -> tuple[float, float, float, float]:
    if len(lengths) not in (1, 4):
        raise PnpError(
            "--margin: write one length, or four with commas between: top,right,bottom,left"
        )
    if min(lengths) < 0:
        raise PnpError("--margin: a margin is 0 or more")
    top, right, bottom, left = lengths * 4 if len(lengths) == 1 else lengths
    return (top, right, bottom, left)
