# Gatehouse's address as this server sees it: the remote end of the connection that an ancestor process holds. Sockets are found by their inodes: finding
# the program of each connection takes a look at all processes.
peer_address() {
  local pid=$$ connections peer inodes
  connections=$(ss -H -tne state established)
  while ((pid > 1)); do
    inodes=$(readlink "/proc/$pid/fd/"* 2>/dev/null | sed -n 's/^socket:\[\([0-9]*\)\]$/ino:\1/p') || true
    peer=$(awk -v inodes="${inodes//$'\n'/ }" '
      BEGIN { for (count = split(inodes, each, " "); count > 0; count--) held[each[count]] }
      { for (field = 5; field <= NF; field++) if ($field in held) { sub(/:[0-9]+$/, "", $4); sub(/%.*/, "", $4); gsub(/[][]|::ffff:/, "", $4); print $4; exit } }
      ' <<<"$connections")
    if [[ $peer =~ ^[0-9a-fA-F.:]+$ ]]; then echo "$peer"; return; fi
    pid=$(awk '$1 == "PPid:" { print $2 }' "/proc/$pid/status")
  done
}
