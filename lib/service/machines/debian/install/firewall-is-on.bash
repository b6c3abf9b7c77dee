# Says `on` where the firewall that we set up is switched on.
grep -qs '^# part firewall ours' /etc/gatehouse/manifest && grep -qsi '^ENABLED=yes' /etc/ufw/ufw.conf && echo on || true
