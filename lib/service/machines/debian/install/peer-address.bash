# Gatehouse's address as this server sees it: the remote end of the connection that an ancestor process holds.
peer_address() {
  local pid=$$ connections peer
  connections=$(ss -H -tnp state established)
  while ((pid > 1)); do
    peer=$(awk -v mark="pid=$pid," 'index($0, mark) { sub(/:[0-9]+$/, "", $4); sub(/%.*/, "", $4); gsub(/[][]|::ffff:/, "", $4); print $4; exit }' <<<"$connections")
    if [[ $peer =~ ^[0-9a-fA-F.:]+$ ]]; then echo "$peer"; return; fi
    pid=$(awk '$1 == "PPid:" { print $2 }' "/proc/$pid/status")
  done
}
