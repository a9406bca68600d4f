"""A small real model on this machine: its weights, and the server that the first process starts for all workers."""
