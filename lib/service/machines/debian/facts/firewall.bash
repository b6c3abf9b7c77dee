# The firewall: whether it is active, its rules, and the stored copies of removed rules. Exit code 69: UFW is not installed.
source facts/read-firewall.bash

command -v ufw >/dev/null || exit 69
iptables -w 5 -n -L ufw-user-input &>/dev/null &
read_rules
! wait "$!" || printf 'active\tyes\n'
# Like UFW, which skips IPv6 if it is off in the kernel (ipv6.disable=1).
[[ ! -e /proc/sys/net/ipv6 ]] || ! grep -qiE '^IPV6="?yes' /etc/default/ufw || printf 'ipv6\tyes\n'
removed=
read -r removed 2>/dev/null </var/lib/gatehouse/firewall/removed
printf 'removed\t%s\n' "$removed"
