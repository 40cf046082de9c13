"""Lightning by simulation: players of several strengths, and what the numbers of each kind of tile change."""

from referee.study.lightning.study import STUDY

__all__ = ["STUDY"]
