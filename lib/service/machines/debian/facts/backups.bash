# The backups on this server, as records of four NUL-terminated fields. For a file: name, size, modification time, and mark: `proven`
# if the file is unchanged since it was verified, else empty, then one line for each thing it lacks. For the nightly runs the name is
# empty: `timer`, next run, on or off; `run`, time, and the state of the newest run with its message on a second line.
print_files() {
  local name size written mark
  for name in *; do
    [[ -f $name && ! -L $name ]] || continue
    read -r size written < <(stat -c '%s %Y' -- "./$name") || continue
    mark=
    [[ -f .$name.proven && $(stat -c '%s %Y' -- "./.$name.proven") == *" $written" ]] && mark=proven
    [[ -f .$name.lacks ]] && mark+=$'\n'$(head -c 16384 -- "./.$name.lacks")
    printf '%s\0%s\0%s\0%s\0' "$name" "$size" "$written" "$mark"
  done
}

# A run that still says `running` but no longer holds its lock was killed, or the server went down.
print_run() {
  local state='' at='' sentence=''
  [[ -f .last ]] || return 0
  { IFS= read -r -d '' state && IFS= read -r -d '' at && IFS= read -r -d '' sentence; } <.last || return 0
  [[ $state != running ]] || ! flock -sn .lock true || state=ended
  printf '\0run\0%s\0%s\n%s\0' "$at" "$state" "$sentence"
}

print_timer() {
  local load active next
  { read -r load && read -r active && read -r next; } < <(
    for property in LoadState ActiveState NextElapseUSecRealtime; do
      TZ=UTC systemctl show -p "$property" --value gatehouse-backup.timer
    done
  )
  [[ $load == loaded ]] || return 0
  next=$(date -d "${next:-@0}" +%s 2>/dev/null) || next=0
  [[ $active == active ]] && active=on || active=off
  printf '\0timer\0%s\0%s\0' "$next" "$active"
}

shopt -s nullglob
print_timer 2>/dev/null
cd /var/backups/gatehouse 2>/dev/null || exit 0
print_run
print_files
exit 0
