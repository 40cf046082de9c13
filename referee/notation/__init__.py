"""Records as text: the lexer, the reader and the writer of `.moves`, and the foreign formats."""
