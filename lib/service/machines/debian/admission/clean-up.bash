# Takes everything of ours off the machine; what it serves goes on. Values: ignored, user, public key line.
# Our key goes last: whatever interrupts us before, we can come back and finish. While others of us come in, with keys of their
# own, only our key goes: the rest is theirs too.
set -euo pipefail
umask 077
mapfile -d '' -t values
lock_keys
if others_come_in "${values[2]}"; then
  take_key_out "${values[1]}" "${values[2]}"
  exit
fi

stop_and_forget() {
  local unit
  for unit in gatehouse-install.service gatehouse-backup.timer gatehouse-backup.service gatehouse-firewall.timer; do
    systemctl stop "$unit" 2>/dev/null || true
    systemctl reset-failed "$unit" 2>/dev/null || true
  done
  systemctl -q disable gatehouse-backup.timer gatehouse-firewall.service 2>/dev/null || true
  rm -f /etc/systemd/system/gatehouse-firewall.{service,timer}
}

# A file that was edited by hand is no longer ours.
remove_files() {
  local hash path
  [[ -f /etc/gatehouse/manifest ]] || return 0
  while read -r hash path; do
    [[ $hash != '#' && -f $path && $(sha256sum -- "$path" | cut -d' ' -f1) == "$hash" ]] || continue
    [[ $path != /etc/apache2/conf-available/* ]] || a2disconf -q -f "$(basename "$path" .conf)" >/dev/null || true
    rm -f -- "$path"
  done </etc/gatehouse/manifest
  systemctl daemon-reload
  systemctl -q is-active apache2 && apache2ctl configtest &>/dev/null && systemctl reload apache2 || true
}

{
  stop_and_forget
  remove_files
  rm -rf /etc/gatehouse /var/lib/gatehouse
} </dev/null
take_key_out "${values[1]}" "${values[2]}"
