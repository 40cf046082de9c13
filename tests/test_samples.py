"""The pictures that README shows are what the commands beside them give today."""

from __future__ import annotations

import re
import shlex
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from referee.core.source import Source
from referee.judge import judge
from referee.notation.moves import read
from tests.tools import samples


@pytest.fixture(scope="module")
def folder(root: Path) -> Path:
    return root / "output" / "samples"


@pytest.mark.parametrize("name", samples.names())
def test_no_sample_is_stale(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = (folder / f"{name}.png").read_bytes()
    assert len(kept) <= samples.SIZE
    assert samples.same(kept, samples.draw(name)), f"{name} is stale: `make samples`"


def test_there_are_no_others(folder: Path) -> None:
    assert {path.stem for path in folder.iterdir()} == set(samples.names())


def changed(png: bytes, edit: str) -> bytes:
    image = Image.open(BytesIO(png)).convert("RGB")
    if edit == "another tint":
        image = image.point(lambda value: value - 12 if 100 < value < 245 else value)
    elif edit == "a stone more":
        image.paste((40, 40, 40), (200, 100, 212, 112))
    elif edit == "moved by a millimetre":
        image = image.transform(image.size, Image.Transform.AFFINE, (1, 0, 2.4, 0, 1, 0))
    else:
        image = image.resize((image.width - 1, image.height))
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize(
    "edit", ["another tint", "a stone more", "moved by a millimetre", "another size"]
)
@pytest.mark.parametrize("name", ["hex", "lightning-tiles", samples.MAIL])
def test_what_looks_otherwise_is_seen(name: str, edit: str, folder: Path) -> None:
    png = (folder / f"{name}.png").read_bytes()
    assert samples.same(png, png)
    assert not samples.same(changed(png, edit), png)


def test_the_record_of_the_mail_is_legal() -> None:
    assert judge(read(Source("mail", samples.RECORD))).error is None


def test_readme_shows_each_sample_with_words_and_its_command(root: Path, folder: Path) -> None:
    text = (root / "README.md").read_text("utf-8")
    shown = re.findall(r"!\[([^\]]*)\]\(([^)\s]+)\)", text)
    shown += re.findall(r'<img[^>]*?alt="([^"]*)"[^>]*?src="([^"]+)"', text)
    assert {path for _, path in shown} == {f"output/samples/{name}.png" for name in samples.names()}
    assert all(len(alt) >= 20 for alt, _ in shown)
    commands = [shlex.split(line, comments=True) for line in re.findall(r"pnp build [^`\n]+", text)]
    for name, words in samples.SAMPLES.items():
        wanted = shlex.split(words.partition(" --dpi")[0])
        assert ["pnp", *wanted] in commands, f"README names no command for {name}"
