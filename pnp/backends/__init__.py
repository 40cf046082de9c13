"""Scenes rendered to bytes: pdf (the only importer of reportlab), svg, png. Each is imported by whoever uses it."""
