# Removes Gatehouse from the server; its services keep running. Values: ignored, user, public key line.
# The SSH key goes last, so that an interrupted clean-up can log in again and finish. If another Gatehouse still manages the server
# with a key of its own, only this key is removed, because the rest is in use.
source admission/keys.bash
source host/program.bash

set -euo pipefail
umask 077
mapfile -d '' -t values
lock_keys
if others_come_in "${values[2]}"; then
  take_key_out "${values[1]}" "${values[2]}"
  exit
fi

# Its sites go on being served, and backed up every night: what that needs, and what says whose they are, stays.
has_sites() { compgen -G '/etc/gatehouse/sites/*/site' >/dev/null; }

stop_and_forget() {
  local unit units=(gatehouse-install.service 'gatehouse-site-job*.service' gatehouse-firewall.timer)
  has_sites || units+=(gatehouse-backup.timer gatehouse-backup.service)
  for unit in "${units[@]}"; do
    systemctl stop "$unit" 2>/dev/null || true
    systemctl reset-failed "$unit" 2>/dev/null || true
  done
  has_sites || systemctl -q disable gatehouse-backup.timer gatehouse-take-back.service 2>/dev/null || true
  systemctl -q disable gatehouse-firewall.service 2>/dev/null || true
  rm -f /etc/systemd/system/gatehouse-firewall.{service,timer}
}

# Leaves files that were edited by hand.
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
  if [[ -n $apache ]] && systemctl -q is-active apache2 && apache2ctl configtest &>/dev/null; then systemctl reload apache2 || true; fi
}

# Keeps the originals of edited files, in case the admin wants them back. An existing copy is older and stays.
keep_copies() {
  local path copies=/var/backups/gatehouse-before
  cd /etc/gatehouse/before 2>/dev/null || return 0
  install -d -m 700 "$copies"
  while IFS= read -r path; do
    [[ -e $copies/$path ]] || cp -a --parents -- "$path" "$copies/"
  done < <(find . -type f)
  cd /
}

# The portal's own settings may also be in /etc/gatehouse.
forget_install() {
  rm -rf /etc/gatehouse/before /etc/gatehouse/manifest /etc/gatehouse/.gatehouse-new /var/lib/gatehouse
  [[ ! -d /etc/gatehouse ]] || rmdir --ignore-fail-on-non-empty /etc/gatehouse
}

{
  stop_and_forget
  if ! has_sites; then
    remove_files
    keep_copies
    forget_install
    remove_programs
  fi
} </dev/null
take_key_out "${values[1]}" "${values[2]}"
