# The firewall: whether it is active, its rules, and what we keep of rules that were taken out. 69: there is no UFW.
command -v ufw >/dev/null || exit 69
yes_or_no() { if "$@" &>/dev/null; then echo yes; else echo no; fi; }
printf 'active\t%s\n' "$(yes_or_no iptables -w 5 -n -L ufw-user-input)"
printf 'ipv6\t%s\n' "$(yes_or_no grep -qiE '^IPV6="?yes' /etc/default/ufw)"
printf 'rules\t%s\n' "$(read_rules user.rules)"
printf 'rules6\t%s\n' "$(read_rules user6.rules)"
printf 'removed\t%s\n' "$(base64 -w 0 /var/lib/gatehouse/firewall/removed 2>/dev/null)"
