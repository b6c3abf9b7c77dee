# Runs the job of a site. Arguments: the job's folder; `died` to clean up after a job that ended without a last line. A job that systemd
# stops ends at once: at a shutdown, the services that a take-back needs stop too. What it has begun is taken back as after a kill.
source changes/room.bash
source sites/certificate.bash
source sites/logins.bash
source sites/mail.bash
source sites/scratch.bash
source sites/site.bash
source sites/turns.bash
source steps/tell.bash

job_home=$1 events=$1/events reserve=$1/reserve
part=''
room_probe=.gatehouse-room-of-site
# Of what is done, although its leftovers could not be removed.
untidy='Not everything that it needed meanwhile could be removed from the server: see the lines above.'
disk_is_full='The server’s disk is full. Free some space and try again.'
shopt -s lastpipe
umask 022

# Each kind of job is two functions: job_KIND NAME=VALUE... does it, step by step, and ends with `end`; undo_KIND WHY takes back what a job that
# failed or died has begun. What undo_KIND has to know is in files of the job's folder, because it may run after a boot.

# end STATUS MESSAGE [CODE [ANSWER]]: the last line. CODE: of a refusal. ANSWER: what the operation answers, such as the path of a backup.
end() {
  tell_late
  say "$1" "$2" "$([[ $1 == 'done' ]] || echo "$2")" "${3-}"$'\t'"${4-}"
  sync "$events"
  exit 0
}

# read_values NAME=VALUE...: sets what the job was given, under the names that it has declared.
read_values() {
  local each
  for each; do printf -v "${each%%=*}" %s "${each#*=}"; done
}

# A job can be cancelled until it has decided that it continues. Who is first makes the link: this job, or cancel.bash.
is_cancelled() { [[ -L $job_home/decided && $(readlink "$job_home/decided") == cancelled ]]; }

# Between two steps.
heed_cancel() {
  [[ ! -e $job_home/stoppable ]] || rm -f "$job_home/stoppable"
  if is_cancelled; then give_up 'The work was cancelled. What it had done until then is taken back.' cancelled; fi
  tell_late
}

tell_late() {
  [[ -e $job_home/asked-late ]] || return 0
  rm -f "$job_home/asked-late"
  say running 'This was to be cancelled, but it is past the point until which it can be taken back. It continues.'
}

# From here on the job cannot be cancelled.
pass_return() {
  ln -sT kept "$job_home/decided" 2>/dev/null || true
  heed_cancel
}

# attempt PROGRESS TITLE FUNCTION...: one step; sets `code`. Never call this in a condition, which would disable set -e within. stoppable: set if the
# step takes long, and may be killed when the job is cancelled.
attempt() {
  heed_cancel
  # What is restored into a new site may need a step of its end earlier.
  progress=$(($1 > progress ? $1 : progress)) step=$2
  say running "$step"
  if [[ -n ${stoppable-} ]]; then
    : >"$job_home/stoppable"
    # Whoever cancelled it just before saw no such file.
    ! is_cancelled || heed_cancel
  fi
  (
    set -Eeuo pipefail
    "${@:3}"
  ) </dev/null 2>&1 | cut_lines | relay
  code=${PIPESTATUS[0]}
}

# take PROGRESS TITLE FUNCTION...: the same; a failure ends the job.
take() {
  attempt "$@"
  case $code in
    0) return ;;
    3) give_up "$last" unsuitable ;;
    4) give_up "$last" not_installed ;;
    28) give_up "$disk_is_full" ;;
    *)
      # Many programs do not say it.
      { has_room "$job_home" && has_room /var/lib/gatehouse; } 2>/dev/null || give_up "$disk_is_full"
      give_up "The step “$step” failed: ${complaint:-${last:-it printed nothing}}"
      ;;
  esac
}

# apt says how far it is. Its own lines tell enough.
advance() { :; }

# give_up MESSAGE [CODE]: takes back what the job has begun, and ends it. undo_KIND sets `left`, a sentence, if the site is then neither what
# it was nor what was wanted.
give_up() {
  local left=''
  # It is no longer killed by who cancels it.
  rm -f "$job_home/stoppable"
  # On a full disk, nothing could be taken back without this room.
  rm -f "$job_home/room"
  sweep
  "undo_$kind" "${why:-$1}"
  # A refusal has changed nothing, whatever an earlier job has left, unless something was created before.
  if [[ -n $left && (${2:-cancelled} == cancelled || -e $job_home/begun) ]]; then end failed "${1%.}. $left" half_done; fi
  end failed "$1" "${2-}"
}

# take_back FUNCTION [ADVICE]: what it says is shown.
take_back() {
  (
    set -Eeuo pipefail
    "$1"
  ) </dev/null 2>&1 | cut_lines | while IFS= read -r line; do say running "$line"; done
  ((PIPESTATUS[0] == 0)) || left="${left:-Not everything could be taken back.}${2:+ $2}"
}

# stop_unit UNIT: one of the job's own, which outlives a job that is killed.
stop_unit() {
  systemctl kill -s KILL "$1" 2>/dev/null || true
  systemctl -q stop "$1" 2>/dev/null || true
}

# What programs that were killed have left half written, here and among the files of accounts.
sweep() {
  local each
  [[ -n $name ]] || return 0
  stop_loading
  # The rest may be of a job that runs beside this one.
  ! only_reads "$kind" || return 0
  rm -f -- "$unfinished" "$settings/virtual-host.new" "$proofs"/{mark,proof}.* /{etc,home,var/log,var/lib/gatehouse,var/lib/mysql}/"$room_probe".*
  rm -rf -- "$deleted"
  for each in /etc/{passwd,group,shadow,gshadow,subuid,subgid}; do
    sweep_accounts "$each"
  done
}

# sweep_accounts FILE: the lock names the program that holds it; its first form has the program's number in its name.
sweep_accounts() {
  local each holder
  holder=$(tr -dc 0-9 2>/dev/null <"$1.lock")
  [[ -z $holder || ! -e /proc/$holder ]] || return 0
  [[ -z $holder ]] || rm -f "$1.lock"
  rm -f "$1+"
  [[ $1 != /etc/shadow ]] || rm -f /etc/nshadow
  for each in "$1".[0-9]*; do
    [[ ! $each =~ \.([0-9]+)$ || -e /proc/${BASH_REMATCH[1]} ]] || rm -f "$each"
  done
}

# A job that has begun nothing.
undo_none() { :; }

main() {
  local values step='Start' progress=0 last='' complaint='' why='' code=0
  local kind=none site_id='' name='' domain aliases ssl='' php='' home settings logs proofs vhost vhost_link php_socket files_socket served_folder held_requests www_redirect hsts live_name site_owner certificate certificate_notes
  local mail_settings mail_on addresses dkim_key
  # That ends the job.
  if [[ ${1-} == died ]]; then recover; fi
  mapfile -d '' -t values <"$job_home/values"
  shred -u "$job_home/values" 2>/dev/null || rm -f "$job_home/values"
  kind=${values[0]}
  name_site "${values[@]:1:4}"
  name_certificate
  name_mail
  wait_for_turn
  # Without it, nothing would be taken back.
  { : >"$job_home/at-work" && sync "$job_home"; } || end failed "$disk_is_full"
  "job_$kind" "${values[@]:5}"
}

# SSH answers before Apache and MariaDB have started, and what they hold cannot be taken back before. MariaDB takes as long as it has data to
# recover; on other units, which may never end, this does not wait long.
wait_for_boot() {
  timeout 30 systemctl is-system-running --wait &>/dev/null || true
  while [[ $(systemctl show -P SubState mariadb.service) == start* ]]; do sleep 1; done
}

# After a job that died.
recover() {
  local last_step
  rm -f "$job_home/values" "$reserve"
  step=$(tail -n 1 "$events" | cut -f 2) progress=$(tail -n 1 "$events" | cut -f 3)
  last_step=${step:-Start}
  # One that still waited has begun nothing.
  if [[ -e $job_home/at-work ]]; then
    mapfile -d '' -t values <"$job_home/site"
    kind=${values[0]}
    name_site "${values[@]:1:4}"
    name_certificate
    name_mail
    open_locks
    flock -w 600 7 || true
    flock -w 600 8 || true
    wait_for_boot
    wait_for_database
  fi
  if is_cancelled; then
    why='The work was cancelled.'
    heed_cancel
  fi
  why='The server went down, or the job was killed.'
  give_up "The server went down, or the job was killed, during the step “$last_step”. Try again."
}
