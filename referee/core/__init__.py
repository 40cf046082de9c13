"""Words that all of the referee shares: sources and places, verdicts, records, the Game protocol."""
