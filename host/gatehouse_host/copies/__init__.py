"""Copies of backups outside of the server."""
