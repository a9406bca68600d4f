"""Judges episodes: scoring, diagnosis, runs on disk, statistics and reports."""
