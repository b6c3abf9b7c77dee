# Installs the updates that apt offers, or only those of security. Nothing is removed and nobody is asked; what somebody edited in /etc stays. Each
# line of output is an event, as in an install.
source steps/advance.bash
source steps/apt.bash
source steps/tell.bash

install_home=/var/lib/gatehouse/install
events=$install_home/events reserve=$install_home/reserve
shopt -s lastpipe
umask 022

# run_part TITLE BEGIN SHARE FUNCTION: progress goes from BEGIN by SHARE.
run_part() {
  local code
  step=$1 begin=$2 share=$3 progress=$2
  say running 'Begun.'
  sync "$events"
  (
    set -Eeuo pipefail
    "$4"
  ) </dev/null 2>&1 | cut_lines | relay
  code=${PIPESTATUS[0]}
  ((code == 0)) || fail "The step “$step” failed: ${complaint:-${last:-it printed nothing}}"
  sync "$events"
}

check_packages() { LC_ALL=C apt-get -q -o DPkg::Lock::Timeout=0 check 2>&1; }

# apt waits for these locks too, but says so only to a terminal.
wait_for_lock() {
  local tries=0 said
  while said=$(check_packages) || true; [[ $said == *'Could not get lock'* ]]; do
    ((++tries < 180)) || { echo "$said"; return 1; }
    # Once a minute is enough.
    ((tries % 12 != 1)) || echo "Waiting: $(grep -m 1 -o 'Could not get lock.*' <<<"$said")"
    sleep 5
  done
}

# A run of apt that was killed has left packages half configured, and then apt refuses everything else. One that is still running has, too.
ready_packages() {
  local said
  wait_for_lock
  if [[ -n $(dpkg --audit) ]]; then
    echo 'An earlier run of dpkg was interrupted. Its packages are configured first.'
    dpkg --force-confdef --force-confold --configure -a
  fi
  said=$(check_packages) || { echo "$said"; return 1; }
}

# One source that is down must not keep the updates of the others away.
read_lists() {
  rm -f "$unread"
  update_lists || { : >"$unread"; echo 'What the other sources offer is installed.'; }
}

# Lines as "Inst NAME [OLD] (NEW ORIGIN [ARCHITECTURE])".
simulate() { LC_ALL=C apt-get -s -q -o Debug::NoLocking=1 --no-remove --with-new-pkgs upgrade 2>/dev/null; }

# list_updates: only those of packages that are installed.
list_updates() { simulate | awk -v scope="$scope" '/^Inst [^ ]+ \[/ && (scope == "all" || /-[Ss]ecurity/) { print $2 }'; }

matches() { grep -qE "$1" < <(printf '%s\n' "${updates[@]}"); }

announce() {
  echo "${#updates[@]} to update: ${updates[*]}"
  if matches '^mariadb-server'; then echo 'MariaDB restarts meanwhile. Sites and programs lose their database for a moment.'; fi
  if matches '^apache2'; then echo 'Apache restarts meanwhile. Requests that are being answered may be cut off.'; fi
  if matches '^php[0-9]'; then echo 'PHP restarts meanwhile.'; fi
  if matches '^(linux-image|systemd|libc6)'; then echo 'Some of them take effect after a reboot.'; fi
}

install_updates() {
  local automatic
  announce
  wait_for_lock
  if [[ $scope == all ]]; then
    apt_get --with-new-pkgs upgrade
    return
  fi
  # apt would remember them as chosen by somebody.
  automatic=$(apt-mark showauto "${updates[@]}")
  apt_get install --only-upgrade "${updates[@]}"
  # shellcheck disable=SC2086 # Names of packages, one a word.
  [[ -z $automatic ]] || apt-mark auto $automatic >/dev/null
}

# Debian's scripts restart the services of packages. PHP of each site is ours.
renew_services() {
  if matches '^php[0-9]'; then systemctl reload 'gatehouse-php*@*.service' || true; fi
  tell_kept_files
  tell_stopped
}

# dpkg and ucf write the new version beside a file that somebody edited.
tell_kept_files() {
  local each
  find /etc -xdev -type f \( -name '*.dpkg-dist' -o -name '*.ucf-dist' \) -cnewer "$marker" 2>/dev/null | sort | while IFS= read -r each; do
    echo "Kept as edited: ${each%.*}. The new version is $each."
  done
}

# Units that ran before.
tell_stopped() {
  local unit
  for unit in $ran; do
    systemctl -q is-active "$unit" || { echo "$unit does not run any more: $(journalctl -q -u "$unit" -o cat -n 1 --no-pager)"; return 1; }
  done
}

running_services() {
  local unit
  for unit in apache2 mariadb postfix ssh cron; do
    if systemctl -q is-active "$unit"; then echo "$unit"; fi
  done
}

# main SCOPE: `all` or `security`.
main() {
  local scope=$1 step='' progress=0 begin=0 share=0 last='' complaint='' updates=() left=() ran marker=$install_home/began unread=$install_home/unread told
  trap 'fail "The work was stopped from outside during the step “$step”. Start it again: it continues from there."' TERM
  : >"$marker"
  ran=$(running_services)
  run_part 'Package system' 0 5 ready_packages
  run_part 'Package lists' 5 15 read_lists
  mapfile -t updates < <(list_updates)
  if ((${#updates[@]} > 0)); then
    run_part 'Updates' 20 70 install_updates
    run_part 'Services' 90 9 renew_services
  fi
  mapfile -t left < <(list_updates)
  ((${#left[@]} == 0)) || fail "These were not updated: ${left[*]}"
  progress=100
  told=$(tell_end)
  rm -f "$marker" "$unread"
  say 'done' "$told"
  sync "$events"
}

tell_end() {
  local told
  case ${#updates[@]} in
    0) told='There was nothing to update.' ;;
    1) told='1 package was updated.' ;;
    *) told="${#updates[@]} packages were updated." ;;
  esac
  if [[ -e $unread ]]; then told+=' A source of packages could not be read: its updates are not known. The log names it.'; fi
  if [[ -e /run/reboot-required ]]; then told+=' The server has to be rebooted for all of it to take effect.'; fi
  echo "$told"
}
