"""Scenes rendered to bytes: pdf (the only importer of reportlab), svg, png.

Each is heavy, and imported by the command that needs it.
"""
