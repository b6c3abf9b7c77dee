# UFW, rule by rule and never reset. The way we come in is opened first, so that switching it on cannot cut us off.
ssh_ports() {
  {
    cat /var/lib/gatehouse/install/port
    install -d -m 755 /run/sshd
    sshd -T 2>/dev/null | awk '$1 == "port" { print $2 }'
  } | sort -un
}

probe_firewall() {
  local rules port
  rules=$(ufw show added)
  for port in $(ssh_ports) 80 443; do
    grep -qE "^ufw (prepend )?allow $port/tcp( |$)" <<<"$rules" || return 1
  done
  [[ $(ufw status) == 'Status: active'* ]] && systemctl -q is-enabled ufw
}

apply_firewall() {
  local port
  for port in $(ssh_ports); do
    ufw prepend allow "$port/tcp" comment SSH
  done
  ufw allow 80/tcp comment HTTP
  ufw allow 443/tcp comment HTTPS
  ufw default deny incoming
  ufw default allow outgoing
  systemctl -q enable ufw
  ufw --force enable
}
