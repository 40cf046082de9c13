"""What things cost, measured beside what else would do them: `make bench`, or `python -m tests.bench`."""
