"""The sheet layer: papers, margins, the band, n-up and nesting, splitting, marks, backs. Jobs in,
Documents out.
"""
