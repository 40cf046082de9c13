"""`python -m referee` does what the command `referee` does."""

from referee.cli import main

main()
