"""Painters: boards, stones, tiles, cards and marks as scene items in mm. Pure."""
