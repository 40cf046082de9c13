"""`referee start`, `play`, `draw`, `verify`: records as files, and faults of the disk on the way."""

from __future__ import annotations

import errno
import os
import re
import threading
from pathlib import Path

import pytest

from referee.core.chance import commitment
from referee.core.source import Source
from referee.errors import WriteError
from referee.files import disk, edit, playing
from referee.judge import judge
from referee.notation.moves import read
from tests.referee.cli.run import HEX, referee

SEED = "5eed" * 16


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.moves"
    path.write_text(HEX + "1. a1 b1 {well} *\n", encoding="utf-8")
    return path


def test_start_writes_a_record(tmp_path: Path) -> None:
    path = tmp_path / "new.moves"
    result = referee(
        *("start", "hex", path, "--first", 'Ann "A"', "--second", "Bob"),
        *("--option", "size=7", "--option", "--Swap=pieces"),
    )
    assert result.exit_code == 0
    record = read(Source("new", path.read_text(encoding="utf-8")))
    assert record.value("First") == 'Ann "A"'
    assert (record.value("Size"), record.value("Swap")) == ("7", "pieces")
    assert re.fullmatch(r"\d{4}\.\d\d\.\d\d", record.value("Date") or "")
    assert judge(record).legal


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("hx", "x"), "do you mean Hex?"),
        (("hex", "x", "--option", "Szie=7"), "do you mean Size?"),
        (("hex", "x", "--option", "Size=77"), "from 2 to 30"),
        (("hex", "x", "--option", "Size"), "write it as Size=7"),
        (("focus", "x", "--option", "Setup=drops"), '"drop"'),
    ],
)
def test_start_refuses_kindly_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = referee("start", *args)
    assert result.exit_code == 2
    assert told in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_start_never_writes_over_a_file(game: Path) -> None:
    before = game.read_bytes()
    result = referee("start", "hex", game)
    assert result.exit_code == 2
    assert "is there already" in result.stderr
    assert game.read_bytes() == before
    assert [p.name for p in game.parent.iterdir()] == ["game.moves"]


@pytest.mark.parametrize("name", ["lightning", "spiral"])
def test_games_with_chance_get_a_fresh_seed(tmp_path: Path, name: str) -> None:
    seeds = set()
    for number in range(3):
        path = tmp_path / f"{number}.moves"
        referee("start", name, path)
        seeds.add(read(Source("s", path.read_text(encoding="utf-8"))).value("Seed"))
    assert all(re.fullmatch("[0-9a-f]{64}", seed or "") for seed in seeds)
    assert len(seeds) == 3
    referee("start", name, tmp_path / "none.moves", "--no-seed")
    assert "Seed" not in (tmp_path / "none.moves").read_text(encoding="utf-8")


def test_play_appends_and_draws(game: Path) -> None:
    result = referee("play", game, "A2", "b2")
    assert result.exit_code == 0, result.stderr
    assert game.read_text(encoding="utf-8") == HEX + "1. a1 b1 {well} 2. a2 b2 *\n"
    assert "Ply 4: b2; Ann (Red) is to move" in result.stdout
    svg = game.with_suffix(".svg").read_text(encoding="utf-8")
    assert "Ply 4: b2" in svg
    assert referee("play", game, "a3").exit_code == 0
    assert game.read_text(encoding="utf-8").endswith("2. a2 b2 3. a3 1-0\n")


def test_play_can_do_without_a_picture(game: Path) -> None:
    assert referee("play", game, "a2", "--no-diagram").exit_code == 0
    assert not game.with_suffix(".svg").exists()


@pytest.mark.parametrize(
    ("moves", "told"),
    [
        (("b2", "b1"), "[occupied]"),
        (("swap",), "[swap]"),
        (("zz",), "[syntax]"),
        (("a2", "3."), "[syntax]"),
        (("draw?",), "[draw]"),
        ((" ",), "there is no move"),
    ],
)
def test_a_refused_move_changes_nothing(game: Path, moves: tuple[str, ...], told: str) -> None:
    before = game.read_bytes()
    result = referee("play", game, *moves)
    assert result.exit_code == 1
    assert told in result.stderr
    assert game.read_bytes() == before
    assert [p.name for p in game.parent.iterdir()] == ["game.moves"]


def test_a_caret_points_at_the_refused_move(game: Path) -> None:
    lines = referee("play", game, "b2", "b1").stderr.splitlines()
    assert "    b2 b1" in lines
    assert "       ^^" in lines


def test_play_needs_a_record_without_faults(game: Path) -> None:
    game.write_text(HEX + "1. a1 a1 *\n", encoding="utf-8")
    result = referee("play", game, "b1")
    assert result.exit_code == 1
    assert "mend it first" in result.stderr
    assert "[occupied]" in result.stderr


def test_a_declared_result_is_no_game_to_play_on(game: Path) -> None:
    game.write_text(HEX + "1. a1 b1 0-1\n", encoding="utf-8")
    result = referee("play", game, "a2")
    assert result.exit_code == 1
    assert "declares 0-1" in result.stderr


def test_play_in_one_of_several_records(game: Path) -> None:
    game.write_text(
        "\ufeff" + HEX + "1. a1 *\n\n" + HEX + "1. b1 *\n\n" + HEX + "1. c1 *\n", encoding="utf-8"
    )
    result = referee("play", game, "b2")
    assert result.exit_code == 2
    assert "--record" in result.stderr
    assert referee("play", game, "b2", "--record", "2").exit_code == 0
    text = game.read_text(encoding="utf-8")
    assert text == "\ufeff" + HEX + "1. a1 *\n\n" + HEX + "1. b1 b2 *\n\n" + HEX + "1. c1 *\n"


def test_foreign_records_are_converted_first(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[11]SZ[5];B[a1];W[b2])", encoding="utf-8")
    result = referee("play", path, "c3")
    assert result.exit_code == 2
    assert "referee convert" in result.stderr


@pytest.mark.parametrize(
    ("body", "words", "after"),
    [
        ("*\n", ["1.", "a1"], "1. a1 *\n"),
        ("", ["1.", "a1"], "1. a1"),
        ("1. a1 b1\n*\n", ["2.", "c1"], "1. a1 b1 2. c1\n*\n"),
        ("1. a1 b1 ; so far\n*\n", ["2.", "c1"], "1. a1 b1 ; so far\n2. c1\n*\n"),
        ("1. a1 b1 2. *\n", ["2.", "c1"], "1. a1 b1 2. c1 *\n"),
        ("1. a1\r\n*\r\n", ["b1"], "1. a1 b1\r\n*\r\n"),
        ("{nothing yet} *", ["1.", "a1"], "{nothing yet} 1. a1 *"),
        ("1. a1 * {the end}\n", ["b1"], "1. a1 b1 * {the end}\n"),
    ],
)
def test_words_join_what_stands(body: str, words: list[str], after: str) -> None:
    record = read(Source("t", HEX + body))
    assert edit.appended(record, words) == HEX.rstrip("\n") + "\n\n" + after


def test_lines_stay_short() -> None:
    text = HEX + "1. " + "{words} " * 8 + "\n*\n"
    out = edit.appended(read(Source("t", text)), ["a1", "b1", "c1", "a2", "b2"])
    assert max(map(len, out.splitlines())) <= edit.WIDTH
    assert out.split()[-6:] == ["a1", "b1", "c1", "a2", "b2", "*"]


def test_a_result_tag_gets_the_result(game: Path) -> None:
    game.write_text(
        HEX.replace("[Size", '[Result "*"]\n[Size') + "1. a1 b1 2. a2 b2\n", encoding="utf-8"
    )
    assert referee("play", game, "a3").exit_code == 0
    text = game.read_text(encoding="utf-8")
    assert '[Result "1-0"]' in text
    assert text.endswith("3. a3 1-0\n")
    assert judge(read(Source("g", text))).legal


def test_a_drawn_tile_is_drawn_once_and_gives_way_to_its_place(tmp_path: Path) -> None:
    path = tmp_path / "l.moves"
    referee("start", "lightning", path, "--option", f"Seed={SEED}")
    first = referee("draw", path, "--no-diagram").stdout.split()[0]
    text = path.read_text(encoding="utf-8")
    assert text.rstrip().endswith(f"{first}@? *")
    again = referee("draw", path, "--no-diagram")
    assert again.stdout.split()[0] == first
    assert path.read_text(encoding="utf-8") == text
    assert referee("play", path, f"{first}@pool", "--no-diagram").exit_code == 0
    text = path.read_text(encoding="utf-8")
    assert "@?" not in text
    assert f"1. {first}@pool *" in text
    assert judge(read(Source("l", text))).legal


def test_a_tile_drawn_before_resigning_has_left_the_pile(tmp_path: Path) -> None:
    path = tmp_path / "l.moves"
    referee("start", "lightning", path, "--option", f"Seed={SEED}")
    first = referee("draw", path, "--no-diagram").stdout.split()[0]
    before = judge(read(Source("l", path.read_text(encoding="utf-8")))).position
    assert referee("play", path, "RESIGN", "--no-diagram").exit_code == 0
    verdict = judge(read(Source("l", path.read_text(encoding="utf-8"))))
    assert verdict.legal
    assert (verdict.reason, verdict.plies) == ("resign", 1)
    assert before is not None
    assert verdict.position == before.replace("|1|", "|-|")
    assert f"draws 1 to 1: {first}" in referee("verify", path).stdout


def test_without_a_seed_the_tile_is_drawn_at_random_and_stands(tmp_path: Path) -> None:
    path = tmp_path / "l.moves"
    referee("start", "lightning", path, "--no-seed")
    first = referee("draw", path, "--no-diagram").stdout.split()[0]
    assert referee("draw", path, "--no-diagram").stdout.split()[0] == first


def test_a_missing_deal_is_dealt_and_written(tmp_path: Path) -> None:
    path = tmp_path / "s.moves"
    referee("start", "spiral", path, "--no-seed")
    assert judge(read(Source("s", path.read_text(encoding="utf-8")))).needs == "deal"
    assert referee("draw", path, "--no-diagram").exit_code == 0
    verdict = judge(read(Source("s", path.read_text(encoding="utf-8"))))
    assert verdict.legal
    assert verdict.needs is None
    text = path.read_text(encoding="utf-8")
    referee("draw", path, "--no-diagram")
    assert path.read_text(encoding="utf-8") == text


def test_a_seeded_spiral_tells_its_deals(tmp_path: Path) -> None:
    path = tmp_path / "s.moves"
    referee("start", "spiral", path, "--option", f"Seed={SEED}")
    text = path.read_text(encoding="utf-8")
    told = referee("draw", path).stdout.splitlines()
    assert [line.split(":")[0] for line in told] == ["on the table, deal 1", "next, deal 2"]
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("text", "told", "status"),
    [
        (HEX + "*", "nothing is drawn in Hex", 2),
        ('[Game "Lightning"]\n[Commit "00"]\n\n*', "by mail", 1),
        ('[Game "Lightning"]\n\n1. resign', "the game is over", 1),
    ],
)
def test_draws_that_cannot_be(game: Path, text: str, told: str, status: int) -> None:
    game.write_text(text, encoding="utf-8")
    result = referee("draw", game)
    assert result.exit_code == status
    assert told in result.stderr


def test_verify(tmp_path: Path) -> None:
    path = tmp_path / "l.moves"
    commit = commitment("g-1", bytes.fromhex(SEED))
    referee("start", "lightning", path, *("--option", f"Seed={SEED}", "--option", "GameId=g-1"))
    for _ in range(12):
        kind = referee("draw", path, "--no-diagram").stdout.split()[0]
        referee("play", path, f"{kind}@pool", "--no-diagram")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("[Seed", f'[Commit "{commit}"]\n[Seed'), encoding="utf-8")
    result = referee("verify", path)
    assert result.exit_code == 0
    assert "agrees" in result.stdout
    drawn = re.findall(r"([IV]+)@pool", text)
    told = re.sub(r"  draws \d+ to \d+: ", "", "\n".join(result.stdout.splitlines()[2:])).split()
    assert told == drawn
    path.write_text(text.replace("[Seed", f'[Commit "{commit[::-1]}"]\n[Seed'), encoding="utf-8")
    assert referee("verify", path).exit_code == 1
    swapped = text.replace(f"{drawn[0]}@pool", f"{'II' if drawn[0] == 'I' else 'I'}@pool", 1)
    path.write_text(swapped, encoding="utf-8")
    result = referee("verify", path)
    assert result.exit_code == 1
    assert "[no-tile]" in result.stdout


def test_verify_needs_a_seed(tmp_path: Path, game: Path) -> None:
    path = tmp_path / "l.moves"
    referee("start", "lightning", path, "--no-seed")
    assert referee("verify", path).exit_code == 2
    assert referee("verify", game).exit_code == 0


# -- the disk fails ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("broken", ["fsync", "replace", "fchmod"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EACCES])
def test_the_old_file_stands_when_the_disk_fails(
    game: Path, monkeypatch: pytest.MonkeyPatch, broken: str, code: int
) -> None:
    before = game.read_bytes()

    def fails(*args: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(disk.os, broken, fails)
    result = referee("play", game, "b2")
    monkeypatch.undo()
    assert result.exit_code == 2
    assert os.strerror(code) in result.stderr
    assert "nothing was changed" in result.stderr
    assert game.read_bytes() == before
    assert [p.name for p in game.parent.iterdir()] == ["game.moves"]


def test_a_kill_in_the_middle_leaves_the_old_file(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = game.read_bytes()

    def killed(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(disk.os, "fsync", killed)
    with pytest.raises(KeyboardInterrupt):
        disk.replace(game, b"half")
    assert game.read_bytes() == before
    assert [p.name for p in game.parent.iterdir()] == ["game.moves"]


def test_the_new_file_is_on_the_disk_before_it_takes_its_place(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    for name in ("fsync", "replace"):
        real = getattr(os, name)

        def noted(*args: object, name: str = name, real: object = real) -> None:
            done.append(name)
            real(*args)  # type: ignore[operator]

        monkeypatch.setattr(disk.os, name, noted)
    disk.replace(game, b"new")
    assert done == ["fsync", "replace", "fsync"]


def test_a_new_file_keeps_mode_and_link(game: Path, tmp_path: Path) -> None:
    game.chmod(0o640)
    link = tmp_path / "link.moves"
    link.symlink_to(game)
    disk.replace(link, b"through the link")
    assert link.is_symlink()
    assert game.read_bytes() == b"through the link"
    assert game.stat().st_mode & 0o777 == 0o640


def test_a_file_that_cannot_be_begun_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*args: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(disk.os, "fsync", fails)
    with pytest.raises(WriteError, match="No space"):
        disk.create(tmp_path / "new.moves", b"text")
    assert list(tmp_path.iterdir()) == []


def test_two_players_at_the_same_moment_wait_for_each_other(game: Path) -> None:
    other = threading.Thread(target=playing.play, args=(game, ["c2"]))
    with disk.opened(game) as data:
        other.start()
        other.join(0.2)
        assert other.is_alive(), "the second player does not wait"
        disk.replace(game, data.replace(b"{well}", b"2. c1"))
    other.join(10)
    assert game.read_text(encoding="utf-8") == HEX + "1. a1 b1 2. c1 c2 *\n"
