"""The first schema: players, challenges, games, mail in and out.

Types are spelt out here, so that a later change of schema.py does not change the past.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make all tables of an empty database."""
    _budgets()
    _handled()
    _meta()
    _players()
    _spool()
    _addresses()
    _challenges()
    _codes()
    _games()
    _invitations()
    _outbox()
    _standings()
    _vacations()
    _digests()
    _log()
    _stops()


def _budgets() -> None:
    op.create_table(
        "budgets",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_budgets")),
    )
    op.create_index(op.f("ix_budgets_at"), "budgets", ["at"], unique=False)
    op.create_index(
        op.f("ix_budgets_kind_subject_at"), "budgets", ["kind", "subject", "at"], unique=False
    )


def _handled() -> None:
    op.create_table(
        "handled",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("text_hash", sa.String(length=64), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("game_id", sa.String(length=40), nullable=True),
        sa.PrimaryKeyConstraint("key", "recipient", "text_hash", name=op.f("pk_handled")),
    )
    op.create_index(op.f("ix_handled_at"), "handled", ["at"], unique=False)


def _meta() -> None:
    op.create_table(
        "meta",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_meta")),
    )


def _players() -> None:
    op.create_table(
        "players",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("joined", sa.BigInteger(), nullable=True),
        sa.Column("gone", sa.Boolean(), nullable=False),
        sa.Column("notices", sa.Boolean(), nullable=False),
        sa.Column("digest", sa.Boolean(), nullable=False),
        sa.Column("digest_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_players")),
        sa.UniqueConstraint("name_key", name=op.f("uq_players_name_key")),
    )


def _spool() -> None:
    op.create_table(
        "spool",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=True),
        sa.Column("received", sa.BigInteger(), nullable=False),
        sa.Column("source", sa.String(length=40), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=True),
        sa.Column("game_id", sa.String(length=40), nullable=True),
        sa.Column("player_id", NUMBER, nullable=True),
        sa.Column("why", sa.Text(), nullable=True),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_spool")),
    )
    op.create_index(
        op.f("ix_spool_state_received_id"), "spool", ["state", "received", "id"], unique=False
    )


def _addresses() -> None:
    op.create_table(
        "addresses",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("player_id", NUMBER, nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("confirmed", sa.BigInteger(), nullable=True),
        sa.Column("added", sa.BigInteger(), nullable=False),
        sa.Column("bounces", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_addresses_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_addresses")),
        sa.UniqueConstraint("address", name=op.f("uq_addresses_address")),
    )
    op.create_index(op.f("ix_addresses_player_id"), "addresses", ["player_id"], unique=False)


def _challenges() -> None:
    op.create_table(
        "challenges",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("game", sa.String(length=20), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("challenger_id", NUMBER, nullable=False),
        sa.Column("opponent_id", NUMBER, nullable=True),
        sa.Column("opponent_address", sa.Text(), nullable=True),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("clock", sa.JSON(), nullable=True),
        sa.Column("word", sa.Text(), nullable=False),
        sa.Column("seed", sa.String(length=64), nullable=True),
        sa.Column("commitment", sa.String(length=64), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.Column("closed", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["challenger_id"], ["players.id"], name=op.f("fk_challenges_challenger_id")
        ),
        sa.ForeignKeyConstraint(
            ["opponent_id"], ["players.id"], name=op.f("fk_challenges_opponent_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_challenges")),
    )
    op.create_index(
        op.f("ix_challenges_status_challenger_id"),
        "challenges",
        ["status", "challenger_id"],
        unique=False,
    )
    op.create_index(
        op.f("ix_challenges_status_expires"), "challenges", ["status", "expires"], unique=False
    )
    op.create_index(
        op.f("ix_challenges_status_opponent_address"),
        "challenges",
        ["status", "opponent_address"],
        unique=False,
    )
    op.create_index(
        op.f("ix_challenges_status_opponent_id"),
        "challenges",
        ["status", "opponent_id"],
        unique=False,
    )


def _codes() -> None:
    op.create_table(
        "codes",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("player_id", NUMBER, nullable=True),
        sa.Column("purpose", sa.String(length=12), nullable=False),
        sa.Column("commands_hash", sa.String(length=64), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("used", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_codes_player_id")),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_codes")),
    )
    op.create_index(op.f("ix_codes_address_created"), "codes", ["address", "created"], unique=False)


def _games() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("game", sa.String(length=20), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("first_id", NUMBER, nullable=False),
        sa.Column("second_id", NUMBER, nullable=True),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("result", sa.String(length=8), nullable=False),
        sa.Column("reason", sa.String(length=20), nullable=True),
        sa.Column("seed", sa.String(length=64), nullable=True),
        sa.Column("beside", sa.JSON(), nullable=False),
        sa.Column("clock", sa.JSON(), nullable=True),
        sa.Column("mover_id", NUMBER, nullable=True),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.Column("muted", sa.Integer(), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("fingerprint", sa.String(length=32), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("updated", sa.BigInteger(), nullable=False),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["first_id"], ["players.id"], name=op.f("fk_games_first_id")),
        sa.ForeignKeyConstraint(["mover_id"], ["players.id"], name=op.f("fk_games_mover_id")),
        sa.ForeignKeyConstraint(["second_id"], ["players.id"], name=op.f("fk_games_second_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
        sa.UniqueConstraint("number", name=op.f("uq_games_number")),
    )
    op.create_index(op.f("ix_games_due_at"), "games", ["due_at"], unique=False)
    op.create_index(op.f("ix_games_first_id_status"), "games", ["first_id", "status"], unique=False)
    op.create_index(op.f("ix_games_mover_id"), "games", ["mover_id"], unique=False)
    op.create_index(
        op.f("ix_games_second_id_status"), "games", ["second_id", "status"], unique=False
    )
    op.create_index(op.f("ix_games_status_number"), "games", ["status", "number"], unique=False)


def _invitations() -> None:
    op.create_table(
        "invitations",
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("player_id", NUMBER, nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_invitations_player_id")
        ),
        sa.PrimaryKeyConstraint("address", name=op.f("pk_invitations")),
    )


def _outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("player_id", NUMBER, nullable=True),
        sa.Column("game_id", sa.String(length=40), nullable=True),
        sa.Column("event", sa.Integer(), nullable=True),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("sent", sa.BigInteger(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_outbox_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("message_id", name=op.f("uq_outbox_message_id")),
    )
    op.create_index(op.f("ix_outbox_game_id_id"), "outbox", ["game_id", "id"], unique=False)
    op.create_index(op.f("ix_outbox_state_next_at"), "outbox", ["state", "next_at"], unique=False)


def _standings() -> None:
    op.create_table(
        "standings",
        sa.Column("player_id", NUMBER, nullable=False),
        sa.Column("game", sa.String(length=20), nullable=False),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_standings_player_id")),
        sa.PrimaryKeyConstraint("player_id", "game", name=op.f("pk_standings")),
    )


def _vacations() -> None:
    op.create_table(
        "vacations",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("player_id", NUMBER, nullable=False),
        sa.Column("first", sa.Date(), nullable=False),
        sa.Column("last", sa.Date(), nullable=False),
        sa.Column("declared", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_vacations_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vacations")),
    )
    op.create_index(
        op.f("ix_vacations_player_id_last"), "vacations", ["player_id", "last"], unique=False
    )


def _digests() -> None:
    op.create_table(
        "digests",
        sa.Column("player_id", NUMBER, nullable=False),
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("added", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_digests_game_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_digests_player_id")),
        sa.PrimaryKeyConstraint("player_id", "game_id", name=op.f("pk_digests")),
    )


def _log() -> None:
    op.create_table(
        "log",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("game_id", sa.String(length=40), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("private", sa.Integer(), nullable=True),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_log_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_log")),
    )
    op.create_index(op.f("ix_log_game_id_id"), "log", ["game_id", "id"], unique=False)


def _stops() -> None:
    op.create_table(
        "stops",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("game_id", sa.String(length=40), nullable=True),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("begins", sa.BigInteger(), nullable=False),
        sa.Column("ends", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_stops_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_stops")),
    )
    op.create_index(op.f("ix_stops_game_id_ends"), "stops", ["game_id", "ends"], unique=False)
