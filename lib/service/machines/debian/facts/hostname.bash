# What the machine is called, and its /etc/hosts as base64.
uname -n
[[ ! -f /etc/hosts ]] || base64 -w 0 /etc/hosts
