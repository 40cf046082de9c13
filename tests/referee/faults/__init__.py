"""Faults of the outside: killed processes, full disks, locked databases; nothing is lost and nothing done twice."""
