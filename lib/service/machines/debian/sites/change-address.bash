# What saving and deleting an address of a site have in common. Exit codes: 67 the site is not here; 73 work on sites goes on; 66 refused, and
# the last line says why; 68 there is no such address.
source changes/room.bash
source sites/mail.bash
source sites/site.bash

set -euo pipefail
umask 022
refuse() { echo "$1"; exit 66; }

# begin_change ID NAME
begin_change() {
  name_site "$1" "$2" '' ''
  is_ours || exit 67
  install -d -m 700 "${sites_lock%/*}"
  exec 8>"$sites_lock"
  flock -w 10 8 || exit 73
  name_recorded "$2"
  require_room /etc /var/lib/gatehouse
  install -d -m 700 "$mail_settings"
}

# put_addresses: standard input becomes the site's addresses. If the mail server does not take them, they are as before.
put_addresses() {
  local former code
  former=$(read_addresses)
  sort | write_file "$addresses" 600
  [[ -e $mail_on ]] || return 0
  # In a condition, bash would go on after a command that fails.
  set +e
  (set -e; refresh_mail) </dev/null
  code=$?
  set -e
  ((code != 0)) || return 0
  printf '%s' "${former:+$former$'\n'}" | write_file "$addresses" 600
  (refresh_mail) </dev/null || true
  echo 'The mail server could not read its addresses again.' >&2
  exit 1
}
