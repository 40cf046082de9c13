"""`python -m pnp` does what the command `pnp` does."""

from pnp.cli import main

main()
