# Gatehouse's address as this server sees it: the remote end of the connection that the nearest ancestor process holds. Sockets are found by their
# inodes: finding the program of each connection takes a look at all processes.
peer_address() {
  local pid=$$ key value held=()
  while ((pid > 1)); do
    held+=("/proc/$pid/fd/"*)
    # An ancestor may end meanwhile.
    value=0
    while read -r key value; do [[ $key != PPid: ]] || break; done <"/proc/$pid/status" || true
    pid=$value
  done
  awk '
    from == "connections" {
      for (field = 5; field <= NF; field++) if ($field ~ /^ino:/) { inode = substr($field, 5); sub(/:[0-9]+$/, "", $4); sub(/%.*/, "", $4); gsub(/[][]|::ffff:/, "", $4); peers[inode] = $4 }
      next
    }
    gsub(/^socket:\[|\]$/, "") && ($0 in peers) && peers[$0] ~ /^[0-9a-fA-F.:]+$/ { print peers[$0]; exit }
    ' from=connections <(ss -H -tne state established) from=sockets <(readlink "${held[@]}" 2>/dev/null)
}
