"""Agents of users: `--model module:attribute`, run in a process of their own."""
