"""Colours as numbers: sRGB, linear light, CIE Lab, how far apart two look, and to whom. Pure.

A colour is `#rrggbb`. Sources: sRGB IEC 61966-2-1, white D65; CIEDE2000 after Sharma, Wu and Dalal
(2005); deficiencies after Machado, Oliveira and Fernandes (2009), severity 1, in linear light;
contrast after WCAG 2. The themes are measured with these functions; drawing needs none of them.
"""

from __future__ import annotations

import math
import re
from typing import Literal

from pnp.errors import PnpError

Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]
Deficiency = Literal["protanopia", "deuteranopia", "tritanopia"]

_HEX = re.compile(r"#[0-9A-Fa-f]{6}")

_RGB_TO_XYZ: Matrix = (
    (0.4123908, 0.3575843, 0.1804808),
    (0.2126390, 0.7151687, 0.0721923),
    (0.0193308, 0.1191948, 0.9505322),
)
_WHITE: Triple = tuple(sum(row) for row in _RGB_TO_XYZ)  # type: ignore[assignment]

DEFICIENCIES: dict[Deficiency, Matrix] = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def parse_colour(text: str) -> str:
    """Return the colour in lower case, `#rrggbb`. Raises PnpError for anything else."""
    if not _HEX.fullmatch(text):
        raise PnpError(f"{text!r} is not a colour; write # and six digits 0-9 a-f, such as #c8321e")
    return text.lower()


def srgb(colour: str) -> Triple:
    """Return red, green, blue of `#rrggbb`, each 0 to 1."""
    return (int(colour[1:3], 16) / 255, int(colour[3:5], 16) / 255, int(colour[5:7], 16) / 255)


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def _gamma(channel: float) -> float:
    return 12.92 * channel if channel <= 0.0031308 else 1.055 * channel ** (1 / 2.4) - 0.055


def linear(colour: str) -> Triple:
    """Return the colour in linear light, each channel 0 to 1."""
    red, green, blue = srgb(colour)
    return (_linear(red), _linear(green), _linear(blue))


def from_linear(rgb: Triple) -> str:
    """Return linear light as `#rrggbb`; what lies outside sRGB is cut to it."""
    return "#" + "".join(f"{round(255 * _gamma(min(1.0, max(0.0, c)))):02x}" for c in rgb)


def _times(matrix: Matrix, v: Triple) -> Triple:
    a, b, c = (row[0] * v[0] + row[1] * v[1] + row[2] * v[2] for row in matrix)
    return (a, b, c)


def lab_of_linear(rgb: Triple) -> Triple:
    """Return CIE L*a*b* (D65) of linear light."""

    def f(t: float) -> float:
        return math.cbrt(t) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116

    x, y, z = (
        f(value / white) for value, white in zip(_times(_RGB_TO_XYZ, rgb), _WHITE, strict=True)
    )
    return (116 * y - 16, 500 * (x - y), 200 * (y - z))


def lab(colour: str) -> Triple:
    """Return CIE L*a*b* (D65) of `#rrggbb`."""
    return lab_of_linear(linear(colour))


def lightness(colour: str) -> float:
    """Return L*, 0 (black) to 100 (white): what is left of the colour on a grey print."""
    return lab(colour)[0]


def simulate(colour: str, deficiency: Deficiency) -> Triple:
    """Return in linear light, cut to 0 to 1, what someone with the deficiency sees."""
    red, green, blue = (
        min(1.0, max(0.0, c)) for c in _times(DEFICIENCIES[deficiency], linear(colour))
    )
    return (red, green, blue)


def ciede2000(first: Triple, second: Triple) -> float:
    """Return the difference ΔE00 of two L*a*b* colours, all weights 1."""
    l1, a1, b1 = first
    l2, a2, b2 = second
    mean = ((math.hypot(a1, b1) + math.hypot(a2, b2)) / 2) ** 7
    stretch = 1.5 - 0.5 * math.sqrt(mean / (mean + 25.0**7))
    a1, a2 = a1 * stretch, a2 * stretch
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (
        math.degrees(math.atan2(b, a)) % 360 if a or b else 0.0 for a, b in ((a1, b1), (a2, b2))
    )

    turn, h = h2 - h1, (h1 + h2) / 2
    if not c1 * c2:
        turn, h = 0.0, h1 + h2
    elif abs(turn) > 180:
        turn += 360 if turn < 0 else -360
        h += 180 if h1 + h2 < 360 else -180
    d_hue = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn) / 2)

    light, c = (l1 + l2) / 2, (c1 + c2) / 2
    t = 1.0 + sum(
        weight * math.cos(math.radians(k * h + phase))
        for weight, k, phase in ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.20, 4, -63))
    )
    d_l = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2))
    d_c = (c2 - c1) / (1 + 0.045 * c)
    d_h = d_hue / (1 + 0.015 * c * t)
    swing = math.radians(60 * math.exp(-(((h - 275) / 25) ** 2)))
    rotation = -math.sin(swing) * 2 * math.sqrt(c**7 / (c**7 + 25.0**7))
    return math.sqrt(d_l**2 + d_c**2 + d_h**2 + rotation * d_c * d_h)


def difference(first: str, second: str, deficiency: Deficiency | None = None) -> float:
    """Return ΔE00 of two colours, as everyone sees them or as someone with the deficiency does."""
    if deficiency is None:
        return ciede2000(lab(first), lab(second))
    return ciede2000(
        lab_of_linear(simulate(first, deficiency)), lab_of_linear(simulate(second, deficiency))
    )


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2, 0 to 1."""
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    """Return the contrast of WCAG 2, 1 to 21; text needs 4.5."""
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def mix(first: str, second: str, share: float) -> str:
    """Return the first colour with `share` (0 to 1) of the second's light: a pattern from afar."""
    red, green, blue = (
        a + (b - a) * share for a, b in zip(linear(first), linear(second), strict=True)
    )
    return from_linear((red, green, blue))
