"""The parts of a unit of work: what can be asked of the store and done in it, by subject."""
