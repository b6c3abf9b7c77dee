# Prints `on` if Gatehouse set up the firewall and it is enabled.
if grep -qs '^# part firewall ours' /etc/gatehouse/manifest && grep -qsi '^ENABLED=yes' /etc/ufw/ufw.conf; then echo on; fi
