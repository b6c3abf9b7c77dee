# Formats bytes with a unit, as the portal does.
source steps/nightly-backup/databases.bash
source steps/nightly-backup/status.bash

human() {
  awk -v bytes="$1" 'BEGIN {
    split("B KB MB GB TB PB", unit)
    for (at = 1; bytes >= 1024 && at < 6; at++) bytes /= 1024
    text = sprintf("%.1f", bytes)
    sub(/\.0$/, "", text)
    print text " " unit[at]
  }'
}

# Disk usage of folders in bytes, without other file systems mounted below them. Ignores files that disappear meanwhile.
# Not du -x: on an overlay, files have another device number than their folder, so it would count only folders.
usage_of() {
  { find "$@" -xdev -printf '%b\n' 2>/dev/null || true; } | awk '{ blocks += $1 } END { printf "%.0f\n", blocks * 512 }'
}

# The archive needs the size of the largest kept one plus a quarter; the first needs the size of its input.
# Databases need space twice: for their dumps, and in the server that loads them.
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
