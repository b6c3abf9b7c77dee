"""The nightly backup of the server itself, and of each of its sites."""
