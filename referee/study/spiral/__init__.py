"""Spiral by search: what each choice of cards leads to within a deal, what it is worth across deals, and the study."""

from referee.study.spiral.study import STUDY

__all__ = ["STUDY"]
