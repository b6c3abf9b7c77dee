"""What Gatehouse runs on servers as root, where files are of tenants. Python 3.10 to 3.13, standard library only."""
