# The system users, and the range of ids that belongs to people.
grep -E '^UID_(MIN|MAX)[[:space:]]' /etc/login.defs
cat /etc/passwd
