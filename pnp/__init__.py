"""Print-and-play boards, tiles and pieces as PDF, SVG and PNG, drawn in exact millimetres."""

__version__ = "0.1.0"
