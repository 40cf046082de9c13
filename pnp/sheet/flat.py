"""A page as one scene, for the formats that have no pages: what a PDF does to the page is done to
the picture.
"""

from __future__ import annotations

from dataclasses import replace

from pnp.document import Page
from pnp.errors import PnpError
from pnp.scene import Group, Scene


def flattened(page: Page) -> Scene:
    """Return the page's scene scaled and turned about its centre, moved, its cut lines in a layer.

    Raises PnpError for two scales that differ, which only PDF can draw.
    """
    scene = page.scene
    across, down = page.scale
    if abs(across - down) > 1e-9:
        raise PnpError(
            "--scale-x and --scale-y differ, which only PDF can draw;"
            " take --format pdf, or one value for both"
        )
    items = scene.items
    if page.cut:
        items = (*items, Group(page.cut, layer="cut"))
    if across == 1.0 and not page.turned and page.offset == (0.0, 0.0):
        return replace(scene, items=items)
    sign = -1.0 if page.turned else 1.0
    return replace(
        scene,
        items=(
            Group(
                items,
                dx=scene.width / 2.0 * (1.0 - sign * across) + page.offset[0],
                dy=scene.height / 2.0 * (1.0 - sign * across) - page.offset[1],
                turn=180.0 if page.turned else 0.0,
                scale=across,
            ),
        ),
    )
