# A part's systemd units: enabled and started when the part is set up. A unit that the admin disables later stays disabled.
source steps/manifest.bash
source steps/undo.bash

is_switched_off() { [[ $(part_state "$part") == ours && $(systemctl is-enabled "$1" 2>/dev/null) =~ ^(disabled|masked) ]]; }

units_run() {
  local unit
  for unit; do
    is_switched_off "$unit" || { systemctl -q is-enabled "$unit" && systemctl -q is-active "$unit"; } || return 1
  done
}

# systemctl only reports that a unit did not start; the reason is in its journal.
restart_unit() {
  local since
  since=$(date +%s)
  systemctl restart "$1" 2>/dev/null && return
  journalctl -q -u "$1" -u "$1@*" -o cat --no-pager --since "@$since" | tail -n 30
  echo "$1 did not start."
  return 1
}

enable_units() {
  local unit
  for unit; do
    if is_switched_off "$unit" || systemctl -q is-enabled "$unit"; then continue; fi
    note_undo unit "$unit"
    systemctl -q enable "$unit"
  done
}

run_units() {
  local unit
  enable_units "$@"
  for unit; do
    is_switched_off "$unit" || restart_unit "$unit"
  done
}

tell_switched_off() {
  local unit
  for unit; do
    ! is_switched_off "$unit" || echo "$unit was turned off by hand and stays off."
  done
}
