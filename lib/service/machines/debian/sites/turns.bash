# Jobs wait for their turn. Two that need the same begin in the order in which they came: those of one site; those that archive a site, because both
# need room on the disk; and those that change a site, because Apache, mail, PHP and packages are shared by all sites. So an archive is made while
# another site changes. Copies and their proofs wait for each other alone: how long one takes is up to the network, and they need little room here. Renewals, changes of passwords
# and the nightly backup hold the same locks.
source sites/run.bash
source sites/site.bash
source steps/tell.bash

former_unit=gatehouse-site-job.service
turn_seconds=21600

# needs_same KIND NAME: whether that job and this one need the same.
needs_same() {
  [[ $2 != "$name" ]] || return 0
  if uses_copies "$kind"; then uses_copies "$1"; return; elif uses_copies "$1"; then return 1; fi
  if only_reads "$kind"; then only_reads "$1"; elif only_reads "$1"; then return 1; fi
}

uses_copies() { [[ $1 == copy || $1 == prove ]]; }

is_over() {
  [[ -z $(find "$1/events" -mtime -1 2>/dev/null) || $(tail -n 1 "$1/events" 2>/dev/null | cut -f 4) =~ ^(done|failed)$ ]]
}

# find_earlier: sets `earlier` to the folder of the first job that this one waits for; empty if there is none.
find_earlier() {
  local each number own first values
  earlier=''
  own=$(<"$job_home/number") first=$own
  for each in "${job_home%/*}"/*/number; do
    { read -r number <"$each"; } 2>/dev/null || continue
    each=${each%/number}
    { ((number < first)) && ! is_over "$each"; } || continue
    mapfile -d '' -t values <"$each/site" || continue
    needs_same "${values[0]}" "${values[2]}" || continue
    first=$number earlier=$each
  done
}

# job_in_words KIND DOMAIN
job_in_words() {
  case $1 in
    create) echo "the creation of $2" ;;
    names) echo "the change of the names of $2" ;;
    ssl) echo "the change of SSL of $2" ;;
    settings) echo "the change of the settings of $2" ;;
    app) echo "the installation of an app on $2" ;;
    email) echo "the change of email of $2" ;;
    backup) echo "the backup of $2" ;;
    restore) echo "the restore of $2" ;;
    download) echo "the archive of $2 for a download" ;;
    copy) echo "the copy of $2" ;;
    prove) echo "the proof of a copy of $2" ;;
    pull) echo "the pull of $2" ;;
    push) echo "the push of $2" ;;
    delete) echo "the deletion of $2" ;;
  esac
}

# open_locks: 7 is the lock of the site, 8 the one of what needs the same.
open_locks() {
  install -d -m 700 "${sites_lock%/*}" && open_site_lock || return
  if uses_copies "$kind"; then exec 8>"$copies_lock"; elif only_reads "$kind"; then exec 8>"$archives_lock"; else exec 8>"$sites_lock"; fi
}

# take_locks: both or none.
take_locks() {
  flock -n 7 || return
  flock -n 8 && return
  flock -u 7
  return 1
}

# tell_turn TEXT: once, until it is another one.
tell_turn() {
  [[ $1 != "$told" ]] || return 0
  told=$1 step="Waits for $1"
  say running "$step."
}

wait_for_turn() {
  local earlier told='' values since=$SECONDS tries=0
  open_locks || end failed "$disk_is_full"
  while true; do
    if is_cancelled; then end failed 'The work was cancelled before it began. Nothing was changed.' cancelled; fi
    find_earlier
    if [[ -n $earlier ]]; then
      mapfile -d '' -t values <"$earlier/site" && tell_turn "$(job_in_words "${values[0]}" "${values[3]}")"
      # Only this one is looked at until it is over.
      until is_over "$earlier" || is_cancelled || ((SECONDS - since > turn_seconds)); do sleep 0.5; done
    elif systemctl -q is-active "$former_unit"; then
      tell_turn 'other work on the sites of this server'
      sleep 1
    elif take_locks; then
      break
    else
      # A password is changed in a moment.
      ((++tries < 4)) || tell_turn 'other work on this server, such as the nightly backup'
      sleep 0.5
    fi
    ((SECONDS - since <= turn_seconds)) || end failed 'Other work on this server has taken too long. Nothing was changed. Try again when it has ended.'
  done
  only_reads "$kind" || note_change
}

# note_change: programs of earlier versions look here for the job that changes something.
note_change() {
  local file=${job_home%/*}/current
  echo "${job_home##*/}" >"$file.new"
  sync "$file.new"
  mv -T -- "$file.new" "$file"
}
