"""Sites: their files and archives."""
