# Gatehouse's address as this server sees it: sshd tells it to the session. sudo passes it on to nobody, so each ancestor is asked.
peer_address() {
  local pid=$$ peer
  while ((pid > 1)); do
    peer=$(tr '\0' '\n' 2>/dev/null <"/proc/$pid/environ" | sed -n 's/^SSH_CONNECTION=\([^ %]*\).*/\1/p')
    peer=${peer#::ffff:}
    if [[ $peer =~ ^[0-9a-fA-F.:]+$ ]]; then echo "$peer"; return; fi
    pid=$(awk '$1 == "PPid:" { print $2 }' "/proc/$pid/status")
  done
}
