"""What one may type, for the help of each command."""

from __future__ import annotations

from collections.abc import Mapping

EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "adjudicate": (
        "referee adjudicate game.moves",
        "referee adjudicate archive/*.sgf --format json --jobs 2",
        "referee adjudicate game.moves --stop-at 12 --diagrams pictures",
    ),
    "diagram": (
        "referee diagram game.moves --ply 4 --numbers --output ply4.svg",
        "referee diagram game.moves --output game.html",
        "referee diagram --game hex --position .r./b../...",
    ),
    "start": (
        "referee start hex game.moves --first Ann --second Bob --option Size=7",
        "referee start lightning light.moves",
    ),
    "play": ("referee play game.moves d4", "referee play focus.moves c3-c5 d6-d5 --no-diagram"),
    "draw": ("referee draw light.moves", "referee draw spiral.moves --no-diagram"),
    "verify": ("referee verify light.moves", "referee verify archive/*.moves --quiet"),
    "convert": (
        "referee convert game.sgf --to moves",
        "referee convert game.moves --record 2 --to hexworld",
        "referee convert archive/*.sgf --to moves --output all.moves",
    ),
    "hint": (
        "referee hint spiral.moves",
        "referee hint spiral.moves --ply 6 --games 200",
    ),
    "help": ("referee help hex", "referee help spiral"),
    "study": ("referee study spiral --help", "referee study lightning --games 200 --output study"),
    "init": (
        "referee init club",
        'referee init club --name "Table Club" --address referee@club.example --zone Europe/Berlin',
    ),
    "mail": (
        "referee mail --club club < mail.eml",
        "referee mail --club club Maildir old.mbox",
    ),
    "serve": ("referee serve --club club", "referee serve --once --club club"),
    "new": ("referee new hex Ann Bob size=11 swap=sides days=5", "referee new spiral Ann"),
    "invite": ("referee invite ann@example.org --name Ann",),
    "players": ("referee players", "referee players --format json"),
    "remove": ("referee remove Ann",),
    "message": (
        'referee message "The club evening is on Friday."',
        'referee message "Please finish by May." --game hex-12',
    ),
    "games": ("referee games", "referee games --status all --format json"),
    "show": ("referee show hex-12", "referee show hex-12 4"),
    "history": ("referee history hex-12",),
    "pause": ('referee pause --reason "the mail server is away"', "referee pause hex-12"),
    "resume": ("referee resume", "referee resume hex-12"),
    "takeback": ('referee takeback hex-12 8 --reason "typed in haste"',),
    "substitute": ("referee substitute hex-12 Ann Chloé",),
    "rule": ('referee rule hex-12 1-0 --reason "Bob has left the club"',),
    "resend": ("referee resend hex-12", "referee resend hex-12 --to Ann"),
    "release": ("referee release", "referee release 17", "referee release 17 --drop"),
    "export": (
        "referee export -o all.moves",
        "referee export hex-12 focus-3",
        "referee export --pages site",
    ),
    "import": ("referee import old.moves --club club",),
    "backup": ("referee backup club-monday.db",),
    "rotate-key": ("referee rotate-key", "referee rotate-key --no-resend"),
    "upgrade": ("referee upgrade --club club",),
    "move-store": (
        "referee move-store sqlite:///new.db",
        "referee move-store --url-file database.url --club club",
    ),
    "doctor": ("referee doctor", "referee doctor --format json"),
}
