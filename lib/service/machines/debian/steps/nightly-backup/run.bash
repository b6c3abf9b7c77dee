install -d -m 700 "$store"
exec 9>"$store/.lock"
# A reader that checks whether a backup is running holds the lock for a moment.
flock -w 5 9 || { echo 'Another backup is running.' >&2; exit 1; }
outcome=failed sentence='The backup ended unexpectedly. The journal of gatehouse-backup.service may say why.'
trap finish EXIT
trap 'fail "The backup was stopped before it was complete."' TERM INT HUP
rm -rf "$work"
write_status running '' || true
install -d -m 700 "$work"

find_parts
find_databases
require_room
required=(etc/passwd)
if [[ -n $data ]]; then
  dump_databases
  read_limits
  prove_dumps
  parts+=(-C "$work" databases unproven)
  for index in "${!dumps[@]}"; do
    [[ -n ${faults[index]:-} ]] && required+=("unproven/${dumps[index]}") || required+=("databases/${dumps[index]}")
  done
fi
write_archive "$work/archive.tar.gz"
prove_archive "$work/archive.tar.gz" "${required[@]}"
keep_archive "$work/archive.tar.gz"
outcome=done sentence=
if ((${#missing[@]})); then
  outcome=partial
  list=$(printf '%s, ' "${missing[@]:0:5}")
  sentence="Missing: ${list%, }"
  ((${#missing[@]} <= 5)) || sentence+=" and $((${#missing[@]} - 5)) more"
  sentence+=.
fi
rotate
failed_sites=$(back_up_sites | paste -sd ' ')
if [[ -n $failed_sites ]]; then
  outcome=partial
  sentence+="${sentence:+ }Sites without a new backup of their own: ${failed_sites// /, }."
fi
# A partial run exits with a failure, so that monitoring of systemd units reports it.
[[ $outcome == done ]]
