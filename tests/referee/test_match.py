"""A club's game command by command (mail.md, Commands, Chance; mail-cases.md F, I, J)."""

from __future__ import annotations

import secrets
from datetime import date

import pytest

from referee import match as m
from referee.core.chance import Chance, commitment
from referee.core.verdict import Rejected
from referee.judge import judge
from referee.match import (
    Dealt,
    Done,
    Drew,
    Ended,
    Offered,
    Played,
    QueueCleared,
    QueueDropped,
    Started,
    Undone,
)
from tests.referee.matches import DAY, SEED, begun, done, played, refused

# -- turns and plies -----------------------------------------------------------------------------------------------


def test_a_move_alone_and_with_its_ply() -> None:
    match = begun("Hex")
    match = done(m.play(match, 0, "F6"))
    assert match.words == ("f6",)
    assert match.event == 1
    assert done(m.play(match, 1, "swap", 2)).words == ("f6", "swap")


def test_m74_a_late_or_repeated_mail_cannot_hit_another_ply() -> None:
    match = played(begun("Hex"), "f6", "e7")
    again = refused(m.play(match, 0, "f6", 1))
    assert again.code == "ply"
    assert "next is 3" in again.message
    assert refused(m.play(match, 0, "d4", 4)).code == "ply"


def test_only_the_player_to_move_plays() -> None:
    assert refused(m.play(begun("Hex"), 1, "f6")).code == "turn"
    assert "Ann is to move, not Bob" in refused(m.play(begun("Hex"), 1, "f6")).message


def test_m105_an_illegal_move_changes_nothing_and_names_its_rule() -> None:
    match = played(begun("Hex"), "f6")
    refusal = refused(m.play(match, 1, "f6"))
    assert (refusal.code, refusal.rule) == ("occupied", "hex-place")


def test_resign_in_turn_is_a_ply() -> None:
    match = played(begun("Hex"), "f6")
    result = m.resign(match, 1)
    assert isinstance(result, Done)
    assert result.match.words == ("f6", "resign")
    assert (result.match.result, result.match.reason) == ("1-0", "resign")
    assert "Termination" not in m.public_tags(result.match)


def test_resign_out_of_turn_is_declared() -> None:
    match = done(m.resign(played(begun("Hex"), "f6"), 0))
    assert match.words == ("f6",)
    assert m.public_tags(match)["Termination"] == "resignation"
    verdict = judge(m.record_of(match))
    assert (verdict.result, verdict.reason, verdict.plies) == ("0-1", "resign", 1)


@pytest.mark.parametrize(
    ("reason", "termination"), [("time", "time"), ("adjudication", "adjudication")]
)
def test_other_ends_are_declared_too(reason: str, termination: str) -> None:
    match = done(m.end(begun("Focus"), "1/2-1/2", reason, "why"))  # type: ignore[arg-type]
    assert m.public_tags(match)["Termination"] == termination
    assert judge(m.record_of(match)).reason == reason


@pytest.mark.parametrize("game", ["Hex", "Spiral"])
def test_no_draw_can_be_ruled_where_there_is_none(game: str) -> None:
    assert refused(m.end(begun(game), "1/2-1/2", "adjudication")).code == "result"


# -- draws ---------------------------------------------------------------------------------------------------------


def test_an_offer_after_ones_ply_stands_at_once() -> None:
    match = played(begun("Focus"), "c3-c4")
    result = m.offer(match, 0)
    assert isinstance(result, Done)
    assert result.match.words == ("c3-c4", "draw?")
    assert result.match.event == match.event
    agreed = done(m.accept(result.match, 1))
    assert agreed.words[-1] == "draw!"
    assert (agreed.result, agreed.reason) == ("1/2-1/2", "agreement")


def test_an_offer_by_the_player_to_move_waits_for_his_move() -> None:
    match = done(m.offer(begun("Focus"), 0))
    assert match.words == ()
    result = m.play(match, 0, "c3-c4")
    assert isinstance(result, Done)
    assert result.match.words == ("c3-c4", "draw?")
    assert result.events[1] == Offered(0)
    assert result.match.offer == 0


def test_a_waiting_offer_of_lightning_outlasts_the_draw_of_a_tile() -> None:
    match = done(m.offer(begun("Lightning"), 0))
    drawn = m.draw(match, 0)
    assert isinstance(drawn, Done)
    tile = drawn.events[0]
    assert isinstance(tile, Drew)
    match = done(m.play(drawn.match, 0, f"{tile.tile}@pool"))
    assert match.words == (f"{tile.tile}@pool", "draw?")


def test_an_offer_can_be_made_while_a_drawn_tile_waits() -> None:
    match = done(m.draw(begun("Lightning"), 0))
    match = done(m.offer(match, 0))
    kind = match.words[-1].partition("@")[0]
    assert done(m.play(match, 0, f"{kind}@pool")).words[-1] == "draw?"


def test_offers_twice_and_against_an_offer_are_refused() -> None:
    match = done(m.offer(played(begun("Focus"), "c3-c4"), 0))
    assert refused(m.offer(match, 0)).code == "draw"
    assert refused(m.offer(match, 1)).would == ("draw!",)
    waiting = done(m.offer(begun("Focus"), 0))
    assert refused(m.offer(waiting, 0)).code == "draw"


@pytest.mark.parametrize("game", ["Hex", "Spiral"])
def test_no_offer_where_there_is_no_draw(game: str) -> None:
    assert refused(m.offer(begun(game), 0)).code == "draw"


def test_any_other_ply_declines() -> None:
    match = done(m.offer(played(begun("Focus"), "c3-c4"), 0))
    match = played(match, "d3-d4")
    assert match.offer is None
    assert refused(m.accept(match, 0)).code == "draw"


def test_draw_first_scores_an_agreed_draw_for_the_first_player() -> None:
    match = done(m.offer(played(begun("Focus", Draw="first"), "c3-c4"), 0))
    assert done(m.accept(match, 1)).result == "1-0"


SHUFFLE = ("b3-a3", "g4-h4", "a3-b3", "h4-g4")


def test_claim_of_the_third_repetition() -> None:
    match = begun("Focus")
    assert not m.may_claim_draw(match, 0)
    assert refused(m.claim(match, 0)).code == "claim"
    match = played(match, *SHUFFLE, *SHUFFLE)
    assert m.may_claim_draw(match, 0)
    assert not m.may_claim_draw(match, 1)
    match = done(m.claim(match, 0))
    assert (match.words[-1], match.reason) == ("claim", "repetition")


# -- undo ----------------------------------------------------------------------------------------------------------


def test_m77_undo_needs_consent_keeps_the_undone_words_and_clears_the_queues() -> None:
    match = played(begun("Hex"), "f6", "e7")
    match = done(m.queue(match, 1, [("d4", "d5")]))
    match = done(m.ask_undo(match, 0))
    assert refused(m.grant_undo(match, 0)).code == "undo"
    result = m.grant_undo(match, 1)
    assert isinstance(result, Done)
    assert result.events == (
        Undone(seat=1, plies=0, words=("f6", "e7")),
        QueueCleared(1, 1, "undo"),
    )
    assert result.match.event == match.event + 1


def test_m78_an_undo_is_void_with_the_next_ply() -> None:
    match = done(m.ask_undo(played(begun("Hex"), "f6", "e7"), 1))
    match = played(match, "d4")
    assert refused(m.grant_undo(match, 0)).code == "undo"


def test_undo_takes_the_swap_back_too() -> None:
    match = done(m.ask_undo(played(begun("Hex"), "a2", "swap"), 1))
    match = done(m.grant_undo(match, 0))
    assert match.words == ("a2",)
    assert match.to_move == 1


def test_undo_takes_an_offer_back_with_its_ply() -> None:
    match = done(m.offer(played(begun("Focus"), "c3-c4", "e3-e4"), 1))
    match = done(m.grant_undo(done(m.ask_undo(match, 1)), 0))
    assert match.words == ("c3-c4",)
    assert match.offer is None


def test_no_undo_before_ones_first_ply_nor_in_spiral() -> None:
    assert refused(m.ask_undo(begun("Hex"), 0)).code == "undo"
    assert refused(m.ask_undo(played(begun("Hex"), "f6"), 1)).code == "undo"
    assert refused(m.ask_undo(begun("Spiral"), 0)).code == "undo"


def _pooled(plies: int = 4) -> m.Match:
    match = begun("Lightning")
    for _ in range(plies):
        seat = match.to_move
        assert seat is not None
        match = done(m.draw(match, seat, [f"{k}@pool" for k in ("I", "II", "III", "IV", "V")]))
    return match


def test_no_undo_or_takeback_goes_back_over_a_drawn_tile() -> None:
    match = _pooled()
    assert refused(m.ask_undo(match, 0)).code == "undo"
    assert refused(m.takeback(match, 3, "x")).code == "undo"
    seat = match.to_move
    assert seat is not None
    waiting = done(m.draw(match, seat))
    assert refused(m.ask_undo(waiting, 1 - seat)).code == "undo"


def test_lightning_undoes_what_came_from_the_pool() -> None:
    match = _pooled()
    seat = match.to_move
    assert seat is not None
    word = next(w for w in _public_words(match) if w.startswith("pool:"))
    after = played(match, word)
    back = done(m.grant_undo(done(m.ask_undo(after, seat)), 1 - seat))
    assert back.words == match.words
    assert back.fingerprint == match.fingerprint


def _public_words(match: m.Match) -> list[str]:
    position = m.public_position(match)
    return [match.rules.format(move, match.setup) for move in match.rules.legal_moves(position)]


def test_an_undo_asked_for_before_a_draw_cannot_be_granted_after_it() -> None:
    match = _pooled()
    seat = match.to_move
    assert seat is not None
    match = played(match, next(w for w in _public_words(match) if w.startswith("pool:")))
    match = done(m.ask_undo(match, seat))
    match = done(m.draw(match, 1 - seat))
    assert refused(m.grant_undo(match, 1 - seat)).code == "undo"


def test_takeback_leaves_a_trace_and_may_let_a_finished_game_go_on() -> None:
    over = done(m.resign(played(begun("Hex"), "f6", "e7"), 1))
    result = m.takeback(over, 2, "he meant another game")
    assert isinstance(result, Done)
    assert result.match.status == "on"
    assert result.match.result == "*"
    assert result.events[0] == Undone(None, 2, (), "he meant another game")
    assert refused(m.takeback(played(begun("Hex"), "f6"), 1, "x")).code == "ply"


def test_a_game_with_a_known_seed_cannot_go_on() -> None:
    over = done(m.resign(_pooled(), 0))
    assert refused(m.takeback(over, 1, "x")).code == "undo"


# -- queue ---------------------------------------------------------------------------------------------------------


def test_queued_answers_play_at_once_and_further_pairs_follow() -> None:
    match = played(begun("Hex"), "f6")
    match = done(m.queue(match, 0, [("d4", "e5"), ("f7", "g7")]))
    result = m.play(match, 1, "d4")
    assert isinstance(result, Done)
    assert result.events == (Played(1, 2, "d4"), Played(0, 3, "e5", queued=True))
    assert result.match.event == match.event + 2
    result = m.play(result.match, 1, "f7")
    assert isinstance(result, Done)
    assert result.match.words[-2:] == ("f7", "g7")
    assert result.match.queues == ((), ())


def test_m73_a_stale_answer_never_fires_a_turn_later() -> None:
    match = played(begun("Hex"), "f6")
    match = done(m.queue(match, 0, [("d4", "e5")]))
    match = played(match, "c3")
    assert match.to_move == 0
    match = played(match, "c4", "d4")
    assert match.to_move == 0
    assert match.words[-1] == "d4"
    assert match.queues == ((), ())


def test_m73_an_answer_that_comes_just_after_its_ply_is_played_now() -> None:
    match = played(begun("Hex"), "f6", "d4")
    result = m.queue(match, 0, [("d4", "e5"), ("f7", "g7")], ply=2)
    assert isinstance(result, Done)
    assert result.match.words == ("f6", "d4", "e5")
    assert played(result.match, "f7").words[-1] == "g7"
    assert refused(m.queue(match, 0, [("c3", "e5")], ply=2)).code == "ply"


def test_both_players_queues_may_answer_each_other() -> None:
    match = played(begun("Hex"), "f6")
    match = done(m.queue(match, 0, [("d4", "e5"), ("f7", "g7")]))
    match = done(m.queue(match, 1, [("e5", "f7")]))
    match = played(match, "d4")
    assert match.words == ("f6", "d4", "e5", "f7", "g7")


def test_several_lines_are_alternatives_and_the_later_of_two_that_differ_holds() -> None:
    match = played(begun("Hex"), "f6")
    match = done(m.queue(match, 0, [("d4", "e5"), ("f7", "g7")]))
    match = done(m.queue(match, 0, [("c3", "c4")]))
    match = done(m.queue(match, 0, [("d4", "e6")]))
    assert played(match, "c3").words[-1] == "c4"
    assert played(match, "d4").words[-1] == "e6"


def test_a_queued_line_that_is_known_to_be_illegal_is_refused() -> None:
    match = played(begun("Hex"), "f6")
    refusal = refused(m.queue(match, 0, [("d4", "e5"), ("d5", "e5")]))
    assert refusal.code == "occupied"
    assert "ply 5" in refusal.message
    assert refused(m.queue(match, 0, [("z99", "e5")])).code == "off-board"
    assert refused(m.queue(match, 0, [("hello", "e5")])).code == "syntax"
    assert refused(m.queue(match, 0, [("d4", "resign")])).code == "queue"


def test_an_answer_that_has_become_illegal_is_dropped_and_its_owner_told() -> None:
    match = begun("Hex")
    match = done(m.queue(match, 0, [("d4", "f6")]))  # queued before the own ply that takes f6
    result = m.play(played(match, "f6"), 1, "d4")
    assert isinstance(result, Done)
    dropped = result.events[-1]
    assert isinstance(dropped, QueueDropped)
    assert (dropped.seat, dropped.ply, dropped.word, dropped.code) == (0, 3, "f6", "occupied")
    assert dropped.private == 0
    assert result.match.to_move == 0


def test_a_queued_answer_does_not_decline_a_draw_offer() -> None:
    match = played(begun("Focus"), "b3-a3")
    match = done(m.queue(match, 0, [("g4-h4", "a3-a4")]))
    result = m.play(done(m.offer(match, 1)), 1, "g4-h4")
    assert isinstance(result, Done)
    assert isinstance(result.events[-1], QueueDropped)
    assert result.match.offer == 1


@pytest.mark.parametrize("game", ["Lightning", "Spiral"])
def test_queue_is_for_hex_and_focus(game: str) -> None:
    assert refused(m.queue(begun(game), 0, [("I@pool", "I@pool")])).code == "queue"


def test_m98_substitution_clears_what_the_old_player_had_ordered() -> None:
    match = done(m.queue(played(begun("Hex"), "f6"), 0, [("d4", "e5")]))
    result = m.substitute(match, 0, "Cleo")
    assert isinstance(result, Done)
    assert result.match.queues == ((), ())
    assert result.match.event == match.event + 1
    assert m.public_tags(result.match)["First"] == "Cleo"
    assert played(result.match, "d4").words == ("f6", "d4")


# -- chance --------------------------------------------------------------------------------------------------------


def test_the_commitment_and_the_draws_are_those_of_the_specification() -> None:
    proposal = m.propose("Lightning", 7, {}, "one", SEED)
    assert proposal.id == "lightning-7"
    assert proposal.commit == commitment("lightning-7", SEED)
    match = m.begin(proposal, "Ann", "Bob", DAY, word="two", challenger_first=False).match
    assert (match.tags["First"], match.tags["Second"]) == ("Bob", "Ann")
    assert (match.tags["Word1"], match.tags["Word2"]) == ("two", "one"), "words follow the seats"
    result = m.draw(match, 0)
    assert isinstance(result, Done)
    index = Chance(SEED, "lightning-7", "two", "one").draw(1, 150)
    assert result.events[0] == Drew(0, ("I", "II", "III", "IV", "V")[index // 30])


def test_a_drawn_tile_stands_in_the_public_record_as_the_last_token() -> None:
    match = done(m.draw(begun("Lightning"), 0))
    verdict = judge(m.record_of(match))
    assert verdict.legal
    assert (verdict.plies, verdict.needs) == (0, "placement")
    assert verdict.position is not None
    assert verdict.position.endswith(f"|{match.words[-1].partition('@')[0]}")


def test_all_orders_are_checked_before_the_draw() -> None:
    match = begun("Lightning")
    for orders in (
        ["III@d1:s-ne", "I@d2:s-n"],  # not at the line's start
        ["III@d1:s-ne", "III@pool"],  # two for a kind
        ["pool:III@d1:s-ne"],
        ["pass"],
        ["III@?"],
        ["d4"],
    ):
        refusal = m.draw(match, 0, orders)
        assert isinstance(refusal, Rejected), orders
    assert match.words == ()


def test_orders_given_again_after_the_draw_are_read_as_before_it() -> None:
    match = done(m.draw(begun("Lightning"), 0))
    kind = match.words[-1].partition("@")[0]
    orders = [f"{k}@pool" for k in ("I", "II", "III", "IV", "V")]
    result = m.draw(match, 0, orders)
    assert isinstance(result, Done)
    assert result.events[0] == Drew(0, kind, again=True)
    assert result.match.words == (f"{kind}@pool",)


@pytest.mark.parametrize("kind", ["I", "II", "III", "IV", "V"])
def test_m109_a_guess_at_the_next_tile_tells_nothing(kind: str) -> None:
    """Placing a tile that is not drawn is refused in the same words whatever comes next."""
    refusal = refused(m.play(begun("Lightning"), 0, f"{kind}@pool"))
    assert refusal.code == "no-tile"
    assert refusal.message == (
        f"no tile is drawn yet; write `draw`, or `draw; {kind}@pool` for the case that it is a {kind}"
    )


@pytest.mark.parametrize("word", ["III@d1:s-ne", "I@d1:s-n", "V@pool"])
def test_a_preview_knows_no_more_than_the_player(word: str) -> None:
    for seed in (SEED, bytes(32)):
        assert not isinstance(m.preview(begun("Lightning", seed), word), Rejected)


def test_nothing_is_drawn_from_an_empty_pile() -> None:
    match = begun("Lightning")
    for _ in range(150):
        assert match.to_move is not None
        match = done(m.draw(match, match.to_move, [f"{k}@pool" for k in _kinds_left(match)]))
    assert match.to_move is not None
    assert refused(m.draw(match, match.to_move)).code == "no-tile"
    assert done(m.play(match, match.to_move, "pass")).words[-1] == "pass"


def _kinds_left(match: m.Match) -> list[str]:
    words = _public_words(match)
    return [w.partition("@")[0] for w in words if w.endswith("@pool")]


def test_spiral_shows_the_deals_made_so_far_and_never_more() -> None:
    begins = m.begin(m.propose("Spiral", 5, {}, "", SEED), "Ann", None, DAY, word="luck")
    assert isinstance(begins.events[0], Started)
    assert isinstance(begins.events[1], Dealt)
    match = begins.match
    assert match.tags["Word1"] == "luck"
    assert match.tags["Word2"] == ""
    deals = 1
    while match.to_move is not None:
        tags = m.public_tags(match)
        assert [t for t in tags if t.startswith("Deal")] == [f"Deal{n + 1}" for n in range(deals)]
        assert "Seed" not in tags
        result = m.play(match, 0, _public_words(match)[0])
        assert isinstance(result, Done)
        deals += sum(isinstance(event, Dealt) for event in result.events)
        match = result.match
    assert m.public_tags(match)["Seed"] == SEED.hex()


def test_no_turn_goes_beyond_the_next_deal() -> None:
    match = begun("Spiral")
    for _ in range(8):
        deals = match.position.deals
        result = m.play(match, 0, _public_words(match)[0], deals=deals)
        assert isinstance(result, Done)
        match = result.match
        if any(isinstance(event, Dealt) for event in result.events):
            assert refused(m.play(match, 0, _public_words(match)[0], deals=deals)).code == "deal"
            return
    pytest.fail("no deal came in eight turns of eight cards a column")


def test_dr_brooks_cards_are_nobody_elses_to_write() -> None:
    match = played(begun("Spiral"), _public_words(begun("Spiral"))[0])
    assert refused(m.play(match, 0, match.words[1])).code == "card"


def test_a_cancelled_game_tells_its_seed() -> None:
    result = m.cancel(begun("Lightning"), "both asked for it")
    assert isinstance(result, Done)
    assert f'[Seed "{SEED.hex()}"]' in m.record_text(result.match)
    assert result.events[-1].seed == SEED.hex()  # type: ignore[attr-defined]
    assert judge(m.record_of(result.match)).legal


def test_a_declined_challenge_tells_its_seed() -> None:
    proposal = m.propose("Lightning", 9, {}, "word", SEED)
    assert SEED.hex() not in repr(proposal)
    result = m.withdrawn(proposal, DAY, "declined")
    assert m.public_tags(result.match)["Seed"] == SEED.hex()


def test_the_end_of_a_game_with_chance_tells_the_seed() -> None:
    result = m.resign(_pooled(), 0)
    assert isinstance(result, Done)
    ended = result.events[-1]
    assert isinstance(ended, Ended)
    assert ended.seed == SEED.hex()


@pytest.mark.parametrize("game", ["Hex", "Focus"])
def test_games_without_chance_have_no_seed(game: str) -> None:
    proposal = m.propose(game, 1, {}, "word", secrets.token_bytes(32))
    assert proposal.seed is None
    assert proposal.commit is None
    assert "Word1" not in m.begin(proposal, "Ann", "Bob", date(2025, 1, 1)).match.tags


def test_a_game_with_chance_needs_a_whole_seed() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        m.propose("Lightning", 1, {}, "", b"short")


# -- words and options ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", ""),
        ("  hello ", "hello"),
        ("e\u0301", "é"),
        ("x" * 64, "x" * 64),
        ('a "b" \\', 'a "b" \\'),
    ],
)
def test_words_that_can_be(text: str, word: str) -> None:
    assert m.clean_word(text) == word


@pytest.mark.parametrize("text", ["x" * 65, "a\nb", "a\tb", "a\x00", "a\u2028b", "\ud800"])
def test_words_that_cannot_be(text: str) -> None:
    assert isinstance(m.clean_word(text), Rejected)


def test_a_word_comes_out_of_the_record_as_it_went_in() -> None:
    word = 'a "b" \\ [c] {d} ;é'
    proposal = m.propose("Lightning", 3, {}, word, SEED)
    match = m.begin(proposal, "Ann", "Bob", DAY, word="x").match
    assert m.record_of(match).value("Word1") == word


def test_options_in_any_case_with_dashes_or_without() -> None:
    pairs = [("--SIZE", "13"), ("swap", "PIECES")]
    assert m.options_of("Hex", pairs) == {"Size": "13", "Swap": "pieces"}
    assert m.options_of("Focus", [("rows", "top")]) == {"Rows": "top"}


@pytest.mark.parametrize(
    ("game", "pairs", "says"),
    [
        ("Hex", [("size", "99")], "2 to 30"),
        ("Hex", [("siez", "9")], "do you mean Size?"),
        ("Hex", [("size", "9"), ("Size", "9")], "twice"),
        ("Lightning", [("seed", "0" * 64)], "no options"),
        ("Spiral", [("deal1", "x")], "no option"),
    ],
)
def test_options_that_cannot_be(game: str, pairs: list[tuple[str, str]], says: str) -> None:
    refusal = m.options_of(game, pairs)
    assert isinstance(refusal, Rejected)
    assert says in refusal.message


def test_games_are_named_in_any_case() -> None:
    assert m.game_called("hEx") == "Hex"
    refusal = m.game_called("lightening")
    assert isinstance(refusal, Rejected)
    assert "do you mean Lightning?" in refusal.message


def test_a_name_that_is_forgotten_leaves_the_record_too() -> None:
    match = m.ending.rename(played(begun("Hex"), "f6"), 1, "Player 17")
    assert '[Second "Player 17"]' in m.record_text(match)
    assert "Bob" not in m.record_text(match)
