"""Documents and scenes to PDF.

Symbols become form objects with a box that holds them, pages are compressed as soon as they are
drawn, all fonts are embedded subsets, and the same document gives the same bytes. Pages are put
together from reportlab's document objects: its canvas would name a font on every page that cannot
be embedded, keep every page uncompressed, and costs a twentieth of a small job to import.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from pnp.backends.bare import pdfdoc
from pnp.backends.curves import items_box
from pnp.backends.files import write_bytes
from pnp.backends.pdf_fonts import Font, new_font
from pnp.backends.pdf_ops import POINTS, Ink, Matrix, upright
from pnp.document import Document, Page
from pnp.fonts import FontSet, load
from pnp.scene import Arc, Circle, Curve, Group, Item, Line, Lines, Polygon, Scene, Style, Weight

CUT_COLOUR = "CutContour"
CUT_WIDTH = 0.25 / POINTS
"""0.25 pt in mm. Plotters know the cut path by the name of its colour (P75)."""

_DUPLEX = {"simplex": "Simplex", "long": "DuplexFlipLongEdge", "short": "DuplexFlipShortEdge"}


def write(
    document: Document,
    target: Path | BinaryIO,
    *,
    fonts: FontSet | None = None,
    cut_layer: bool = False,
    cut_width: float = CUT_WIDTH,
) -> None:
    """Write a document as PDF to a path or an open binary file.

    With `cut_layer` the cut lines of the pages, and of groups in the layer "cut", stand in a layer
    of their own, off in view and print; they are `cut_width` mm wide. Raises FileError where the
    file cannot be written, PnpError for a text that the fonts cannot draw; no half file is left.
    """
    job = _Job(document, fonts or load(), cut_width if cut_layer else None)
    for page in document.pages():
        job.add(page)
    data = job.bytes()
    if isinstance(target, Path):
        write_bytes(target, data)
    else:
        target.write(data)


def to_bytes(
    scene: Scene,
    *,
    stretch: tuple[float, float] = (1.0, 1.0),
    fonts: FontSet | None = None,
    outlines: bool = False,
) -> bytes:
    """Return a PDF of one page that is exactly the scene, scaled by `stretch` about its centre.

    With `outlines` texts are drawn as shapes: larger, but every renderer shows them alike.
    """
    document = Document(scene.title, lambda: ())
    job = _Job(document, fonts or load(), None, outlines=outlines)
    job.add(Page(scene, scale=stretch))
    return job.bytes()


class _Bookmarks:
    """What reportlab's outline asks of a canvas: where each name leads."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._targets: dict[str, Any] = {}

    def add(self, title: str) -> None:
        """Mark the page that is added next."""
        name = f"p{len(self._targets)}"
        target = self._targets[name] = pdfdoc.Destination(name)
        target.fit()
        target.setPage(self._document.thisPageRef())
        self._document.Outlines.addOutlineEntry(name, 0, title)

    def _bookmarkReference(self, name: str) -> Any:  # noqa: N802 - reportlab's name
        return self._targets[name]


class _Used:
    """What one stream (a page or a form) refers to."""

    def __init__(self) -> None:
        self.forms: set[str] = set()
        self.text = False


class _Packed(pdfdoc.PDFStream):  # type: ignore[misc]  # reportlab has no types
    """A stream that gives up its content once it is written, so that no file lies in memory twice."""

    def format(self, document: Any) -> Any:
        written = super().format(document)
        self.content = ""
        return written


class _Job:
    """One PDF in the making."""

    def __init__(
        self, document: Document, fonts: FontSet, cut_width: float | None, outlines: bool = False
    ) -> None:
        """`cut_width` is that of cut lines in mm, None where there are to be none."""
        self._fonts = fonts
        self._cut_width = cut_width
        self._outlines = outlines
        self._pdf = pdf = pdfdoc.PDFDocument(
            compression=1, invariant=1, pdfVersion=(1, 7), lang="en"
        )
        self._bookmarks = _Bookmarks(pdf)
        self._font_of: dict[Weight, Font] = {}
        self._forms: dict[str, list[tuple[tuple[Item, ...], str]]] = {}
        self._form_count = 0
        self._layer: Any = None
        pdf.setTitle(document.title)
        pdf.setSubject(document.subject)
        pdf.setKeywords(", ".join(document.keywords))
        pdf.setAuthor("")
        pdf.setCreator("pnp")
        told = pdf.Catalog.ViewerPreferences = pdfdoc.ViewerPreferencesPDFDictionary()
        told["PrintScaling"] = "None"
        told["Duplex"] = _DUPLEX[document.duplex]
        told["DisplayDocTitle"] = "true"

    def bytes(self) -> bytes:
        """Return the file."""
        data: bytes = self._pdf.GetPDFData(self._bookmarks)
        return data

    def add(self, page: Page) -> None:
        """Add a page."""
        scene = page.scene
        if page.label:
            self._bookmarks.add(page.label)
        used = _Used()
        at = _placed(page)
        ink = self._ink(scene.symbols, used)
        ink.draw(scene.items, at)
        operators = ink.out
        cut = [] if self._cut_width is None else self._cut(page, ink, at, self._cut_width)
        sheet = pdfdoc.PDFPage()
        sheet.MediaBox = pdfdoc.PDFArray([0, 0, scene.width * POINTS, scene.height * POINTS])
        left, top, right, bottom = page.trim or (0.0, 0.0, scene.width, scene.height)
        trim = (left, scene.height - bottom, right, scene.height - top)
        sheet.TrimBox = pdfdoc.PDFArray([v * POINTS for v in trim])
        sheet.Contents = _packed(operators + cut)
        sheet.Resources = self._resources(used)
        if cut:
            sheet.Resources.ColorSpace = {CUT_COLOUR: self._separation()}
            sheet.Resources.Properties = {"Cut": self._pdf.Reference(self._cut_group())}
        self._pdf.addPage(sheet)

    def _ink(
        self, symbols: Mapping[str, tuple[Item, ...]], used: _Used, *, fresh: bool = True
    ) -> Ink:
        def form(name: str) -> str:
            resource = self._form(name, symbols)
            used.forms.add(resource)
            return resource

        def glyphs(text: str, weight: Weight) -> list[tuple[str, bytes]]:
            used.text = True
            return self._font(weight).pieces(text, self._pdf)

        return Ink(self._fonts, form, None if self._outlines else glyphs, fresh=fresh)

    def _font(self, weight: Weight) -> Font:
        if weight not in self._font_of:
            path = self._fonts.path
            if path is not None:
                font = new_font(self._fonts.face(), path.stem)
                self._font_of = {"regular": font, "bold": font}
            else:
                name = "DejaVuSans" if weight == "regular" else "DejaVuSans-Bold"
                self._font_of[weight] = new_font(self._fonts.face(weight), name)
        return self._font_of[weight]

    def _form(self, name: str, symbols: Mapping[str, tuple[Item, ...]]) -> str:
        """Return the resource name of a symbol's form, written when it is first used."""
        items = symbols[name]
        same = self._forms.setdefault(name, [])
        for known, resource in same:
            if known is items or known == items:
                return resource
        self._form_count += 1
        resource = f"Form{self._form_count}"
        same.append((items, resource))
        used = _Used()
        ink = self._ink(symbols, used, fresh=False)
        ink.draw(items, upright())
        left, top, right, bottom = items_box(items, symbols, self._fonts) or (0.0, 0.0, 0.0, 0.0)
        form = pdfdoc.PDFFormXObject(left * POINTS, -bottom * POINTS, right * POINTS, -top * POINTS)
        form.Contents = _packed(ink.out)
        form.Resources = self._resources(used)
        self._pdf.Reference(form, resource)
        return resource

    def _resources(self, used: _Used) -> Any:
        resources = pdfdoc.PDFResourceDictionary()
        if used.text:
            resources.basicFonts()
        if used.forms:
            resources.XObject = {
                name: pdfdoc.PDFObjectReference(name) for name in sorted(used.forms)
            }
        return resources

    def _cut(self, page: Page, ink: Ink, at: Matrix, width: float) -> list[str]:
        """Return the operators of the cut lines: the page's, and those of groups named "cut"."""

        def style(matrix: Matrix) -> Style:
            return Style(stroke="#000000", width=width * POINTS / matrix.scale)

        pen = self._ink({}, _Used())
        pen.spot(CUT_COLOUR)
        pen.draw([_as_cut(item, style(at)) for item in page.cut], at)
        for group, matrix in ink.cuts:
            pen.draw([_as_cut(item, style(matrix)) for item in group.items], matrix)
        return ["/OC /Cut BDC q", *pen.out, "Q EMC"] if len(pen.out) > 1 else []

    def _separation(self) -> Any:
        """Return the colour space: a spot colour that shows as magenta where it is not a spot."""
        tint = pdfdoc.PDFDictionary(
            {
                "FunctionType": 2,
                "Domain": pdfdoc.PDFArray([0, 1]),
                "C0": pdfdoc.PDFArray([0, 0, 0, 0]),
                "C1": pdfdoc.PDFArray([0, 1, 0, 0]),
                "N": 1,
            }
        )
        names = (pdfdoc.PDFName(n) for n in ("Separation", CUT_COLOUR, "DeviceCMYK"))
        return pdfdoc.PDFArray([*names, tint])

    def _cut_group(self) -> Any:
        """Return the layer, entered into the catalogue when first asked for."""
        if self._layer is None:
            name = pdfdoc.PDFName
            off = {
                "View": pdfdoc.PDFDictionary({"ViewState": name("OFF")}),
                "Print": pdfdoc.PDFDictionary({"PrintState": name("OFF")}),
            }
            self._layer = pdfdoc.PDFDictionary(
                {
                    "Type": name("OCG"),
                    "Name": pdfdoc.PDFString(CUT_COLOUR),
                    "Usage": pdfdoc.PDFDictionary(off),
                }
            )
            only = pdfdoc.PDFArray([self._pdf.Reference(self._layer)])
            events = [
                pdfdoc.PDFDictionary(
                    {"Event": name(e), "OCGs": only, "Category": pdfdoc.PDFArray([name(e)])}
                )
                for e in ("View", "Print")
            ]
            default = {
                "Name": pdfdoc.PDFString("Layers"),
                "BaseState": name("ON"),
                "OFF": only,
                "Order": only,
            }
            default["AS"] = pdfdoc.PDFArray(events)
            catalogue = self._pdf.Catalog
            catalogue.__NoDefault__ = [*catalogue.__NoDefault__, "OCProperties"]
            catalogue.OCProperties = pdfdoc.PDFDictionary(
                {"OCGs": only, "D": pdfdoc.PDFDictionary(default)}
            )
        return self._layer


def _placed(page: Page) -> Matrix:
    """Return the matrix of a page: scaled and turned about its centre, then moved."""
    base = upright(page.scene.height)
    turn = -1.0 if page.turned else 1.0
    sx, sy = page.scale[0] * turn, page.scale[1] * turn
    cx, cy = page.scene.width * POINTS / 2.0, page.scene.height * POINTS / 2.0
    e = cx + sx * (base.e - cx) + page.offset[0] * POINTS
    f = cy + sy * (base.f - cy) + page.offset[1] * POINTS
    return Matrix(base.a * sx, 0.0, 0.0, base.d * sy, e, f)


def _packed(operators: list[str]) -> Any:
    """Return a stream that is compressed now, so that a long document stays small in memory."""
    content = zlib.compress("\n".join(operators).encode("ascii"))
    packed = pdfdoc.PDFDictionary({"Filter": pdfdoc.PDFName("FlateDecode")})
    return _Packed(dictionary=packed, content=content)


def _as_cut(item: Item, style: Style) -> Item:
    """Return a shape as a line to cut along."""
    match item:
        case Polygon():
            return Polygon(item.points, style)
        case Line():
            return Line(item.points, style)
        case Lines():
            return Lines(item.segments, style)
        case Circle():
            return Circle(item.x, item.y, item.r, style)
        case Arc():
            return Arc(item.x, item.y, item.r, item.start, item.sweep, style)
        case Curve():
            return Curve(item.steps, style)
        case Group():
            inner = Style(stroke=style.stroke, width=style.width / item.scale)
            return Group(
                tuple(_as_cut(i, inner) for i in item.items),
                dx=item.dx,
                dy=item.dy,
                turn=item.turn,
                scale=item.scale,
            )
        case _:
            raise ValueError(f"a {type(item).__name__} is no line to cut along")
