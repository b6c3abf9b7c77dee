# Brings what this server has of ours up to date: the server's own files, then each site of an older version. Each line of output is an event,
# as in an install. Each subject has upgrade_server_SUBJECT, upgrade_site_SUBJECT for one site that is named, or both. They only write; the
# runner restarts and reloads, and asks whether the site answers as before. Where files are not all that a subject changes, it has unwind_server_…
# or unwind_site_… too, for after its files were put back.
source changes/room.bash
source sites/apache.bash
source sites/check.bash
source sites/refuse.bash
source sites/site.bash
source sites/staging/copy.bash
source sites/web.bash
source steps/manifest.bash
source steps/tell.bash
source upgrade/keep.bash
source upgrade/units.bash

install_home=/var/lib/gatehouse/install
events=$install_home/events reserve=$install_home/reserve
job_home=$upgrade_home/work
part=''
shopt -s lastpipe
umask 022

# apt says how far it is. Its own lines tell enough.
advance() { :; }

# attempt FUNCTION...: sets `code`. Never call this in a condition, which would disable set -e within.
attempt() {
  (
    set -Eeuo pipefail
    "$@"
  ) </dev/null 2>&1 | relay
  code=${PIPESTATUS[0]}
}

# Why the attempt failed, as a sentence. Codes 3 and 28: sites/run.bash.
reason() {
  case $code in
    3) echo "$last" ;;
    28) echo 'The server’s disk is full. Free some space and try again.' ;;
    *) echo "The step “$step” failed: ${complaint:-${last:-it printed nothing}}" ;;
  esac
}

# Work on sites, renewals and backups wait while one part is at work.
lock_sites() {
  install -d -m 700 "${sites_lock%/*}"
  exec 7>"$archives_lock" 8>"$sites_lock"
  { flock -w 600 7 && flock -w 600 8; } || fail 'Certificates are being renewed on this server, or sites backed up. Try again in a few minutes.'
}

check_server() {
  require_room /etc /var/lib/gatehouse
  if systemctl -q is-active apache2; then require_valid_configuration; fi
}

# for_subjects PREFIX
for_subjects() {
  local subject
  for subject in ${subjects:?}; do
    if declare -F "$1_$subject" >/dev/null; then "$1_$subject"; fi
  done
}

apply_server() {
  systemctl daemon-reload
  if systemctl -q is-active apache2; then reload_apache; fi
}

upgrade_server() {
  if was_killed; then settle_part apply_server unwind_server; fi
  for_subjects upgrade_server
  if [[ -e $(undo_folder)/list ]]; then apply_server; fi
  finish_part
}

# settle_part APPLY UNWIND: what an earlier run has begun.
settle_part() {
  if may_put_back; then
    put_kept_back
    for_subjects "$2"
    "$1"
  fi
  forget_kept
}

# After a failure.
take_server_back() {
  put_kept_back
  for_subjects unwind_server
  apply_server
  forget_kept
}

revert_server() {
  stage=kept
  [[ -e $(undo_folder) ]] || return 0
  require_unchanged
  take_server_back
}

# One site, named by for_site.
upgrade_site() {
  local answered proven
  require_settled
  if was_killed; then settle_part apply_site unwind_site; fi
  install -d -m 700 "$(undo_folder)"
  look_at_site
  for_subjects upgrade_site
  apply_site
  prove_site
  keep_for_undo "$settings/site"
  { grep -v '^state ' "$settings/site"; echo "state $state_version"; } | write_file "$settings/site" 600
  finish_part
}

require_settled() {
  ! is_interrupted || refuse 'Work on the site was interrupted, and is taken back before the next work on a site of this server. Try again after that.'
}

# How the site is before it is changed: sets `answered` and `proven`.
look_at_site() {
  rm -f "$(undo_folder)/php-runs"
  if systemctl -q is-active "$(php_unit "$php")"; then : >"$(undo_folder)/php-runs"; fi
  answered=$(front_page)
  proven=$(prove_names &>/dev/null && echo yes) || true
}

revert_site() {
  local answered proven
  stage=kept
  require_settled
  require_unchanged
  look_at_site
  put_kept_back
  for_subjects unwind_site
  apply_site
  prove_site
  forget_kept
}

take_site_back() {
  put_kept_back
  for_subjects unwind_site
  if [[ -e $(undo_folder)/php-runs ]]; then keep_former_unit; fi
  apply_site
  forget_kept
}

# What the subjects have written takes effect. PHP that did not run before stays as it is.
apply_site() {
  local unit
  unit=$(php_unit "$php")
  systemctl daemon-reload
  if [[ -e $(undo_folder)/php-runs ]]; then
    systemctl reset-failed "$unit" 2>/dev/null || true
    restart_php "$unit"
  fi
  if systemctl -q is-active apache2; then reload_apache; fi
}

restart_php() {
  systemctl restart "$1" 2>/dev/null && [[ -S $php_socket ]] && return
  journalctl -q -u "$1" -o cat --no-pager | tail -n 5
  echo "PHP $php of the site did not start."
  return 1
}

# A site that did not answer before cannot prove anything. A program that is slow after its restart is asked again.
prove_site() {
  local until=$((SECONDS + 20)) now=''
  [[ $proven != yes ]] || prove_names
  [[ $answered =~ ^[234] ]] || return 0
  while ((SECONDS < until)); do
    now=$(front_page)
    [[ $now != "$answered" ]] || return 0
    sleep 0.5
  done
  echo "Its front page answered ${answered} before, and ${now} with what was brought up to date."
  return 1
}

# The status of the front page, over https too if the site has SSL; `nothing` without an answer.
front_page() {
  local said
  said=$(ask_apache "$domain" / 2>/dev/null | status_line) || true
  if [[ $ssl == yes ]]; then said+=" and $(ask_https | status_line)" || true; fi
  echo "${said:-nothing}"
}

status_line() { sed -n '1s,^HTTP/[0-9.]* \([0-9]*\).*,\1,p'; }

ask_https() {
  printf 'GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n' "$domain" |
    timeout 5 openssl s_client -quiet -connect "$(apache_addresses | head -n 1):443" -servername "$domain" 2>/dev/null || true
}

# Each site of an older version: its name.
outdated_sites() {
  local record folder
  for record in "$sites_home"/*/site; do
    { [[ -e $record ]] && (($(state_of "$record") < state_version)); } || continue
    folder=${record%/site}
    # One that is being deleted is brought nowhere.
    [[ -e $folder/removing ]] || echo "${folder##*/}"
  done
}

# on_site FUNCTION: for the site that is at work.
on_site() { attempt for_site "$(record_line id "$part")" "$part" "$step" "$(record_line staging-of "$part")" "$1"; }

# run_site FUNCTION DONE [UNDO]: DONE is what is said then, UNDO the function for after a failure.
run_site() {
  step=$(record_line domain "$part")
  lock_sites
  # It may have been deleted meanwhile.
  if [[ -e $sites_home/$part/site ]]; then
    say running 'Begun.'
    sync "$events"
    on_site "$1"
    if ((code == 0)); then
      changed=$((changed + 1))
      say running "$2"
    else
      failures+=("$step: $(reason)")
      [[ $(reason) == "$last" ]] || say running "$(reason)"
      if [[ -n ${3-} ]]; then
        on_site "$3"
        if ((code == 0)); then say running 'The site is as before.'; else say running "Not everything could be taken back: $(reason)"; fi
      fi
    fi
    sync "$events"
  fi
  exec 7>&- 8>&-
}

# run_server FUNCTION [UNDO]
run_server() {
  local why
  step=Server progress=2 part=server
  lock_sites
  say running 'Begun.'
  sync "$events"
  attempt "$1"
  if ((code != 0)); then
    why=$(reason)
    [[ -z ${2-} ]] || attempt "$2"
    fail "$why"
  fi
  exec 7>&- 8>&-
}

# run_sites FUNCTION DONE UNDO NAME...
run_sites() {
  local each at=0 count
  count=$(($# - 3))
  for each in "${@:4}"; do
    part=$each progress=$((10 + 89 * at / count))
    at=$((at + 1))
    run_site "${@:1:3}"
  done
}

count_sites() { if (($1 == 1)); then echo '1 site'; else echo "$1 sites"; fi; }

# end_run DONE FAILED: sentences; FAILED goes on after the number of sites.
end_run() {
  local told=$1
  progress=100
  if ((changed > 0)); then told+=" $(count_sites "$changed") changed."; fi
  if ((${#failures[@]} > 0)); then fail "$(count_sites "${#failures[@]}") $2. ${failures[0]}"; fi
  say 'done' "$told"
  sync "$events"
}

bring_up_to_date() {
  run_server upgrade_server take_server_back
  mapfile -t names < <(outdated_sites)
  run_sites upgrade_site 'Up to date.' take_site_back "${names[@]}"
  end_run 'The server and its sites are up to date.' 'could not be brought up to date'
}

# The names of the sites of which the newest upgrade has kept something.
kept_sites() {
  local each
  for each in "$upgrade_home"/kept/*/; do
    each=${each%/} each=${each##*/}
    [[ $each == server || ! -e $sites_home/$each/site ]] || echo "$each"
  done
}

# A site that was made since needs the server's files of today.
check_revert() {
  local record each
  [[ -d $upgrade_home/kept ]] || refuse 'Nothing of an upgrade is kept here, so there is nothing to take back.'
  for record in "$sites_home"/*/site; do
    each=${record%/site} each=${each##*/}
    [[ ! -e $record || -e $upgrade_home/kept/$each ]] || (($(state_of "$record") < state_version)) ||
      refuse "$(record_line domain "$each") was created since, so the upgrade stays. Nothing was changed."
  done
}

take_upgrade_back() {
  attempt check_revert
  ((code == 0)) || fail "$(reason)"
  mapfile -t names < <(kept_sites)
  run_server revert_server
  run_sites revert_site 'As it was before the upgrade.' '' "${names[@]}"
  end_run 'The upgrade is taken back.' 'could not be taken back'
}

# After a run that died: its last line is said. A part that died again, in here, is left to the next run.
recover() {
  local each
  events=$upgrade_home/recovery
  : >"$events"
  for each in "$upgrade_home"/now/*/; do
    part=${each%/} part=${part##*/}
    [[ -e $each ]] || continue
    lock_sites
    if ! may_put_back || [[ $part != server && ! -e $sites_home/$part/site ]]; then
      forget_kept
    elif [[ $part == server ]]; then
      attempt take_server_back
    else
      step=$(record_line domain "$part")
      on_site take_site_back
    fi
    exec 7>&- 8>&-
  done
}

# main FUNCTION
main() {
  local step='Check the server' progress=0 last='' complaint='' code=0 changed=0 failures=() names
  local site_id name domain aliases ssl='' php='' home settings logs proofs vhost='' vhost_link php_socket served_folder='' held_requests='' www_redirect='' hsts='' live_name certificate certificate_notes
  local mail_settings mail_on addresses dkim_key hosts=''
  trap 'fail "The work was stopped from outside during the step “$step”. Start it again: it continues from there."' TERM
  install -d -m 700 "$upgrade_home" "$job_home"
  # The folder comes with the first site: sites/site.bash.
  [[ -d $sites_home ]] || unfinished=${sites_home%/*}/.unfinished
  if [[ $1 != recover ]]; then
    say running 'Begun.'
    attempt check_server
    ((code == 0)) || fail "$(reason)"
  fi
  "$1"
  rm -rf -- "$job_home"
}
