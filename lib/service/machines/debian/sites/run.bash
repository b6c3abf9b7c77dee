# Runs the job of a site. Arguments: the job's folder; `died` to clean up after a job that ended without a last line.
job_home=$1 events=$1/events reserve=$1/reserve
part=''
shopt -s lastpipe
umask 022

# end STATUS MESSAGE [CODE [BACKUP]]: the last line. CODE: of a refusal. BACKUP: the path of the last backup.
end() {
  say "$1" "$2" "$([[ $1 == 'done' ]] || echo "$2")" "${3-}"$'\t'"${4-}"
  sync "$events"
  exit 0
}

# attempt PROGRESS TITLE FUNCTION...: one step; sets `code`. Never call this in a condition, which would disable set -e within.
attempt() {
  progress=$1 step=$2
  say running "$step"
  (
    set -Eeuo pipefail
    "${@:3}"
  ) </dev/null 2>&1 | relay
  code=${PIPESTATUS[0]}
}

# take PROGRESS TITLE FUNCTION...: the same; a failure ends the job.
take() {
  attempt "$@"
  case $code in
    0) return ;;
    3) give_up "$last" unsuitable ;;
    4) give_up "$last" not_installed ;;
    28) give_up 'The server’s disk is full. Free some space and try again.' ;;
    *) give_up "The step “$step” failed: ${complaint:-${last:-it printed nothing}}" ;;
  esac
}

# apt says how far it is. Its own lines tell enough.
advance() { :; }

# Ends the job. What this creation has made is removed, changed names are taken back; a deletion that has begun can be repeated.
give_up() {
  if [[ -e $job_home/saved ]]; then keep_former_certificate "$1"; fi
  if [[ -e $job_home/begun ]]; then take_back remove_site; fi
  if [[ -e $job_home/virtual-host ]]; then take_back restore_web; fi
  rm -rf "$backups_home/.making-$name"
  end failed "$1" "${2-}"
}

# take_back FUNCTION: what it says is shown.
take_back() {
  (
    set -Eeuo pipefail
    "$@"
  ) </dev/null 2>&1 | while IFS= read -r line; do say running "$line"; done
  ((PIPESTATUS[0] == 0)) || say running 'Not everything could be taken back.'
}

create() {
  php=$(php_version)
  take 2 'Check the server' check_create
  take 15 'User and folders' create_files
  take 35 'PHP' create_php
  take 55 'Database' create_database
  take 75 'Web server' create_web
  progress=100
  end 'done' "$domain is ready."
}

names() {
  is_ours || give_up "The site no longer exists on the server." changed_meanwhile
  has_ssl && ssl=yes
  take 5 'Check the server' check_names
  take 20 'Web server' change_web
  # From here on there is nothing to take back.
  mv -T -- "$job_home/virtual-host" "$job_home/saved"
  sync "$job_home"
  if [[ $ssl == yes && $later == no ]]; then follow_names; fi
  progress=100
  end 'done' "The names of $domain are saved.$(tell_left_out)"
}

# The names are saved whatever happens to the certificate.
follow_names() {
  write_authority
  attempt 40 'Check the names' choose_ssl_names
  ((code != 0)) || attempt 55 'Certificate' get_ssl_certificate
  ((code != 0)) || attempt 85 'Web server' serve_ssl
  ((code == 0)) || keep_former_certificate "${complaint:-$last}"
}

# keep_former_certificate WHY
keep_former_certificate() {
  [[ ! -e $job_home/virtual-host ]] || take_back restore_web
  progress=100
  end 'done' "The names of $domain are saved, but its certificate is still the former one: $1 It is tried again twice a day."
}

switch_ssl() {
  is_ours || give_up "The site no longer exists on the server." changed_meanwhile
  has_ssl && ssl=yes
  take 2 'Check the server' check_change
  if [[ $on == yes ]]; then
    switch_on
  else
    take 50 'Web server' stop_ssl
    progress=100
    end 'done' "SSL of $domain is off. Its certificate is kept."
  fi
}

switch_on() {
  if ! command -v certbot >/dev/null; then take 5 'Certificate program' install_certbot; fi
  write_authority
  take 35 'Check the names' choose_ssl_names
  take 50 'Certificate' get_ssl_certificate
  take 80 'Web server' serve_ssl
  progress=100
  end 'done' "SSL of $domain is on.$(tell_left_out)"
}

tell_left_out() {
  local left
  [[ $on == yes || ($ssl == yes && $later == no) ]] || return 0
  left=$(lacking_names | paste -sd ' ')
  [[ -z $left ]] || echo " The certificate leaves out ${left// /, }."
}

delete() {
  if is_ours; then
    take 2 'Check the server' check_delete
    # A deletion that is repeated has its backup already, and nothing left to make another of.
    if [[ -e $settings/removing ]]; then
      cp "$settings/removing" "$job_home/backup"
    elif [[ $with_backup == yes ]]; then
      take 10 'Last backup' make_last_backup
    fi
    take 70 'Delete' remove_site
  fi
  progress=100
  end 'done' "$domain is deleted." '' "$(cat "$job_home/backup" 2>/dev/null)"
}

main() {
  local values step='Start' progress=0 last='' complaint=''
  local kind site_id name domain aliases password='' database_password='' with_backup=''
  local later='' on='' directory='' roots='' contact='' expected='' ssl='' code=0
  local php='' home settings logs proofs vhost vhost_link php_socket certificate certificate_notes
  if [[ ${1-} == died ]]; then
    recover
    return
  fi
  mapfile -d '' -t values <"$job_home/values"
  # What is needed to clean up later stays; passwords do not.
  printf '%s\0' "${values[@]:0:5}" >"$job_home/site"
  sync "$job_home/site"
  shred -u "$job_home/values" 2>/dev/null || rm -f "$job_home/values"
  kind=${values[0]}
  name_site "${values[@]:1:4}"
  name_certificate
  # The step that runs must not go on beside what takes it back.
  trap 'pkill -KILL -P $$; give_up "The job was stopped from outside during the step “$step”."' TERM
  exec 8>"$sites_lock"
  flock -w 600 8 || end failed 'Certificates are being renewed on this server. Try again in a few minutes.'
  case $kind in
    create) password=${values[5]} database_password=${values[6]} && create ;;
    names | ssl)
      directory=${values[6]} roots=${values[7]} contact=${values[8]} expected=${values[9]}
      if [[ $kind == names ]]; then later=${values[5]} && names; else on=${values[5]} && switch_ssl; fi
      ;;
    delete) with_backup=${values[5]} && delete ;;
  esac
}

# After a job that died: a creation leaves nothing behind.
recover() {
  local last_step
  rm -f "$job_home/values" "$reserve"
  step=$(tail -n 1 "$events" | cut -f 2) progress=$(tail -n 1 "$events" | cut -f 3)
  last_step=${step:-Start}
  if [[ -e $job_home/site ]]; then
    mapfile -d '' -t values <"$job_home/site"
    kind=${values[0]}
    name_site "${values[@]:1:4}"
    name_certificate
    exec 8>"$sites_lock"
    flock -w 600 8 || true
    [[ ! -e $job_home/saved ]] || keep_former_certificate 'The server went down, or the job was killed.'
  else
    kind=none
  fi
  give_up "The server went down, or the job was killed, during the step “$last_step”. Try again."
}

main "${2-}"
