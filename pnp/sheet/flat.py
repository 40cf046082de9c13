"""A page as one scene, for the formats that have no pages: what a PDF does to the page is done to
the picture. Its scales are the backends' `stretch`, since they may differ in the two directions.
"""

from __future__ import annotations

from pnp.document import Page
from pnp.scene import Group, Scene


def flattened(page: Page) -> Scene:
    """Return the page's scene turned about its centre and moved, its cut lines in a layer.

    It is to be stretched by `page.scale` about its centre when it is drawn; the move is undone by
    so much beforehand.
    """
    scene = page.scene
    items = scene.items
    if page.cut:
        items = (*items, Group(page.cut, layer="cut"))
    if not page.turned and page.offset == (0.0, 0.0):
        return scene._replace(items=items)
    right, up = page.offset[0] / page.scale[0], page.offset[1] / page.scale[1]
    turned = Group(
        items,
        dx=right + (scene.width if page.turned else 0.0),
        dy=-up + (scene.height if page.turned else 0.0),
        turn=180.0 if page.turned else 0.0,
    )
    return scene._replace(items=(turned,))
