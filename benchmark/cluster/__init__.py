"""Runs whose shards are tasks of a Ray cluster."""
