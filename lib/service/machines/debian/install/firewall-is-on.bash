# Prints `on` if Gatehouse set up the firewall and it is enabled.
grep -qs '^# part firewall ours' /etc/gatehouse/manifest && grep -qsi '^ENABLED=yes' /etc/ufw/ufw.conf && echo on || true
