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
  local hash path apache=
  [[ -f /etc/gatehouse/manifest ]] || return 0
  while read -r hash path; do
    [[ $hash != '#' && -f $path && $(sha256sum -- "$path" | cut -d' ' -f1) == "$hash" ]] || continue
    if [[ $path == /etc/apache2/conf-available/* ]]; then
      a2disconf -q -f "$(basename "$path" .conf)" >/dev/null || true
      apache=changed
    fi
    rm -f -- "$path"
  done </etc/gatehouse/manifest
  systemctl daemon-reload
  [[ -n $apache ]] && systemctl -q is-active apache2 && apache2ctl configtest &>/dev/null && systemctl reload apache2 || true
}

# Files as they were before we edited them may be wanted back. Of two copies the older one stands.
keep_copies() {
  local path copies=/var/backups/gatehouse-before
  cd /etc/gatehouse/before 2>/dev/null || return 0
  install -d -m 700 "$copies"
  while IFS= read -r path; do
    [[ -e $copies/$path ]] || cp -a --parents -- "$path" "$copies/"
  done < <(find . -type f)
  cd /
}

# The portal itself may have its settings in /etc/gatehouse.
forget_install() {
  rm -rf /etc/gatehouse/before /etc/gatehouse/manifest /etc/gatehouse/.gatehouse-new /var/lib/gatehouse
  [[ ! -d /etc/gatehouse ]] || rmdir --ignore-fail-on-non-empty /etc/gatehouse
}

{
  stop_and_forget
  remove_files
  keep_copies
  forget_install
} </dev/null
take_key_out "${values[1]}" "${values[2]}"
