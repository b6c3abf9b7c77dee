# The ports of mail in UFW. Opening and closing them is guarded as every change of the firewall: the unit that takes it back is on disk first.
source changes/firewall-guard.bash
source changes/room.bash
source sites/mail.bash
source sites/site.bash

mail_ports=(25 465 587)
# Those that Gatehouse has opened, so that it closes no other.
opened_ports=$mail_home/opened-ports
# The program that follows the job reads this line, and logs in anew.
asks_for_login='Waiting until Gatehouse has logged in with the new rules.'

is_port_allowed() { ufw show added | grep -E "^ufw (prepend )?allow $1(/tcp)?( |\$)" >/dev/null; }

# change_rules HOW RULE...: HOW is `login` if a new login has to confirm it, or `alone` where nobody follows the job: rules of these ports
# cannot keep Gatehouse out, because SSH does not listen there.
change_rules() {
  local how=$1 each said unit=gatehouse-firewall tries=500
  await_confirmation
  hold_firewall
  [[ ! -d $guard/saved ]] || { echo 'The server is taking back an earlier change of the firewall. Try again in two minutes.'; return 1; }
  require_room /etc/ufw /var/lib /etc/systemd/system
  await_ufw
  save_rules
  arm 90
  for each in "${@:2}"; do
    # UFW exits with 0 even if the kernel refuses a rule.
    # shellcheck disable=SC2086 # The words of a command.
    { said=$(ufw $each 9>&- 2>&1 >/dev/null) && [[ $said != *tables* ]]; } || {
      exec 9>&-
      systemctl start "$unit.service"
      echo "UFW refused “$each”: $said"
      return 1
    }
  done
  if [[ $how == alone ]]; then
    disarm
    exec 9>&-
    return
  fi
  exec 9>&-
  echo "$asks_for_login"
  while [[ -d $guard/saved ]] && ((tries-- > 0)); do sleep 0.2; done
}

# take_back_rules: what a job that died has not confirmed, for which any other change would have to wait.
take_back_rules() { [[ ! -d $guard/saved ]] || systemctl start gatehouse-firewall.service; }

open_mail_ports() {
  local port opened rules=()
  command -v ufw >/dev/null || return 0
  for port in "${mail_ports[@]}"; do
    is_port_allowed "$port" || rules+=("allow $port/tcp comment Mail")
  done
  ((${#rules[@]})) || return 0
  opened=$({ cat "$opened_ports" 2>/dev/null || true; printf '%s\n' "${rules[@]}" | sed 's/^allow //; s,/tcp.*,,'; } | sort -u)
  [[ $opened == "$(cat "$opened_ports" 2>/dev/null)" ]] || write_file "$opened_ports" 600 <<<"$opened"
  change_rules "$1" "${rules[@]}"
  for port in "${mail_ports[@]}"; do
    is_port_allowed "$port" || { echo 'Gatehouse could not log in with the new rules of the firewall, so they were taken back.'; return 1; }
  done
}

close_mail_ports() {
  local port rules=()
  command -v ufw >/dev/null && [[ -e $opened_ports ]] || return 0
  while IFS= read -r port; do
    ! is_port_allowed "$port" || rules+=("delete allow $port/tcp")
  done <"$opened_ports"
  if ((${#rules[@]})); then
    change_rules "$1" "${rules[@]}"
    for port in "${rules[@]//[^0-9]/}"; do
      ! is_port_allowed "$port" || { echo 'Gatehouse could not log in with the new rules of the firewall, so they were taken back.'; return 1; }
    done
  fi
}
