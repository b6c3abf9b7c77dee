# Sets the hostname. Values: the name, the expected and the new /etc/hosts, both as base64.
# Exit codes: 75 if /etc/hosts has changed since it was read; 76 if mail of sites needs a complete name. Nothing was changed then.
source changes/replace-file.bash
source changes/room.bash
source sites/mail.bash
source sites/site.bash

set -euo pipefail
mapfile -d '' -t values
name=${values[0]} before=${values[1]} after=${values[2]}

hosts() { [[ ! -f /etc/hosts ]] || base64 -w 0 /etc/hosts; }

# Replaces the file atomically, except where it is a mount point and cannot be replaced.
put_hosts() {
  local size
  size=$(base64 -d <<<"$1" | wc -c)
  if mountpoint -q /etc/hosts; then base64 -d <<<"$1" >/etc/hosts; else base64 -d <<<"$1" | replace_file /etc/hosts 644 "$size"; fi
}

# hostnamectl needs D-Bus, which a minimal system may lack.
put_name() {
  hostnamectl set-hostname -- "$1" 2>/dev/null || { printf '%s\n' "$1" | replace_file /etc/hostname 644 "$((${#1} + 1))" && hostname -- "$1"; }
}

# A script runs on after its connection drops, so a second one waits for the first.
exec 9>/run/gatehouse-hostname.lock
flock 9
[[ $(hosts) == "$before" ]] || exit 75
if [[ -e $mail_open ]]; then
  [[ $name == *.* ]] || exit 76
  install -d -m 700 "${sites_lock%/*}"
  exec 8>"$sites_lock"
  flock -w 20 8 || { echo 'Work on a site of this server goes on. Try again when it has ended.' >&2; exit 1; }
fi
require_room /etc
{
  # Goes first, so that sudo and mail can resolve both names in between.
  put_hosts "$after"
  put_name "$name" || { put_hosts "$before"; exit 1; }
  if [[ -f /etc/postfix/main.cf ]]; then
    postconf -e "myhostname = $name"
    if systemctl -q is-active postfix; then postfix reload; fi
    # Which domains are this server itself depends on it, and so do the senders of forwarded mail.
    refresh_mail
  fi
} </dev/null
