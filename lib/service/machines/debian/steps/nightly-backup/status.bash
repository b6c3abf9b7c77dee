# The nightly backup of this server: configuration, crontabs, sites and every database, in one verified archive.
set -euo pipefail
umask 077
# HOME: systemd does not set it, and MariaDB's programs look for root's own password there.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root
store=/var/backups/gatehouse
work=$store/.unfinished
# How the backup of the server itself ended: its state and a sentence, each NUL-terminated. Not on a disk, which may be full.
result=/run/gatehouse-backup-result

# The result of the newest run: state (running, done, partial or failed), seconds since 1970 and a sentence, each NUL-terminated.
# On a full disk the old file is overwritten in place, which needs no new block.
write_status() {
  local state=$1 sentence=${2:0:1000} now new=$store/.last-new
  now=$(date +%s)
  if printf '%s\0%s\0%s\0' "$state" "$now" "$sentence" 2>/dev/null >"$new" && sync "$new"; then
    mv -f "$new" "$store/.last"
  else
    rm -f "$new"
    printf '%s\0%s\0%s\0' "$state" "$now" "$sentence" 1<>"$store/.last"
  fi
}

# Ends the backup of the server as failed.
fail() {
  outcome=failed sentence=$1
  exit 1
}

# One line that explains an error: the first that looks like an error message, else the first.
first_error() {
  local line
  line=$(grep -m 1 -iE 'error|denied|no space' <<<"$1") || line=${1%%$'\n'*}
  line=${line//[[:cntrl:]]/ }
  echo "${line:0:300}"
}

# What this backup lacks, stored next to it: `missing`, a name and a reason, or `left_out` and a path, separated by tabs.
lacks=()
missing=()
# lack NAME REASON
lack() {
  missing+=("${1//[[:cntrl:]]/?}")
  lacks+=("missing"$'\t'"${1//[[:cntrl:]]/?}"$'\t'"$2")
  echo "Not in this backup: $1: $2" >&2
}
