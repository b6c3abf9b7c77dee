# The hostname, and /etc/hosts as base64.
uname -n
[[ ! -f /etc/hosts ]] || base64 -w 0 /etc/hosts
