# Bytes in a unit for people, as the portal writes them.
human() {
  awk -v bytes="$1" 'BEGIN {
    split("B KB MB GB TB PB", unit)
    for (at = 1; bytes >= 1024 && at < 6; at++) bytes /= 1024
    text = sprintf("%.1f", bytes)
    sub(/\.0$/, "", text)
    print text " " unit[at]
  }'
}

# Bytes that folders take on the disk, other file systems beneath them left out. What vanishes meanwhile does not count.
# Not du -x: on an overlay, where files are of another device than their folder, it counts folders alone.
usage_of() {
  { find "$@" -xdev -printf '%b\n' 2>/dev/null || true; } | awk '{ blocks += $1 } END { printf "%.0f\n", blocks * 512 }'
}

# The archive needs as much as the largest one that is kept and a quarter more, the first one as much as what goes into it.
# The databases need room twice: for their dumps, and for the server that these are loaded into.
require_room() {
  local needed free
  needed=$({ find "$store" -maxdepth 1 -name 'backup-*.tar.gz' -printf '%s\n' && echo 0; } | sort -rn | head -n 1)
  if ((needed > 0)); then
    needed=$((needed * 5 / 4))
  else
    needed=$(cd / && usage_of "${parts[@]}")
  fi
  [[ -z $data ]] || needed=$((needed + 2 * $(usage_of "$data")))
  free=$(($(stat -f -c '%a * %S' "$store")))
  ((free > needed)) ||
    fail "There is not enough room in $store: $(human "$free") is free; a backup needs about $(human "$needed")."
}
