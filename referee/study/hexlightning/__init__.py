"""Hex-Lightning on one shared board by simulation: with which tiles, on which boards, it is a game."""

from referee.study.hexlightning.study import STUDY

__all__ = ["STUDY"]
