"""The referee: reads game records, judges every move by the rules, draws and keeps the games of Hex and its kin."""
