# The accounts of the machine itself, and which numbers are people's.
grep -E '^UID_(MIN|MAX)[[:space:]]' /etc/login.defs
cat /etc/passwd
