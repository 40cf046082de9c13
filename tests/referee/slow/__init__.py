"""Second, slow and plain implementations of legality and ends, written from the rules page alone.

Each is a class with `legal()` (the canonical tokens of all legal moves), `play(token)`, `to_move` ("first",
"second" or None), `over` ((result, reason) or None) and `text()` (the position). Nothing here is shared with the
engines under test.
"""
