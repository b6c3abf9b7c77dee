# Sets up UFW on a server without a firewall: reachable ports stay reachable, and the SSH port is allowed first.
source steps/find-firewall.bash
source steps/listeners.bash
source steps/manifest.bash
source steps/undo.bash
source steps/units.bash

ufw_files=(/etc/ufw/user.rules /etc/ufw/user6.rules /etc/ufw/ufw.conf /etc/default/ufw)

ssh_ports() {
  {
    cat /var/lib/gatehouse/install/port
    install -d -m 755 /run/sshd
    sshd -T 2>/dev/null | awk '$1 == "port" { print $2 }'
  } | sort -un
}

# Allowed even if nothing listens yet: the web server may be stopped at the moment, or get its certificates later.
web_ports() { printf '80 HTTP\n443 HTTPS\n'; }

# Contains Gatehouse's address if the present rules would refuse its next connection.
cut_off=/var/lib/gatehouse/install/cut-off

is_switched_on() { grep -qix 'ENABLED=yes' /etc/ufw/ufw.conf; }

probe_firewall() {
  local rules port
  if [[ $(part_state firewall) == ours ]] && ! is_switched_on; then return; fi
  [[ $(ufw status) == 'Status: active'* ]] && { is_switched_off ufw || systemctl -q is-enabled ufw; } || return 1
  if [[ $(part_state firewall) == ours ]]; then [[ ! -s $cut_off ]]; return; fi
  rules=$(ufw show added)
  for port in $(ssh_ports) $(web_ports | cut -d' ' -f1); do
    grep -qE "^ufw (prepend )?(allow|limit) $port/tcp( |$)" <<<"$rules" || return 1
  done
}

apply_firewall() {
  save_before "${ufw_files[@]}"
  # After the first installation the rules are up to the admin.
  if [[ $(part_state firewall) == ours ]]; then let_us_in; else add_rules; fi
  enable_units ufw
  ufw --force enable
  record_edited "${ufw_files[@]}"
}

let_us_in() {
  local peer port
  [[ -s $cut_off ]] || return 0
  peer=$(<"$cut_off") port=$(</var/lib/gatehouse/install/port)
  echo "The rules would lock Gatehouse out: SSH is allowed from $peer."
  ufw prepend allow proto tcp from "$peer" to any port "$port" comment SSH
  rm -f "$cut_off"
}

add_rules() {
  local port title protocol program
  for port in $(ssh_ports); do
    ufw prepend allow "$port/tcp" comment SSH
  done
  while read -r port title; do
    ufw allow "$port/tcp" comment "$title"
  done < <(web_ports)
  while read -r protocol port program; do
    ! is_opened "$port/$protocol" || continue
    echo "Port $port/$protocol stays open: $program listens on it."
    ufw allow "$port/$protocol" comment "Was open: $program"
  done < <(open_ports)
  ufw default deny incoming
  ufw default allow outgoing
}

is_opened() { ufw show added | grep -qE "^ufw (prepend )?allow $1( |$)"; }

unwind_firewall() {
  if is_switched_on; then ufw reload; else ufw --force disable; fi
}

differences_firewall() {
  tell_switched_off ufw
  if ! is_switched_on; then
    echo 'The firewall was turned off and stays off.'
  elif is_changed_since /etc/ufw/user.rules || is_changed_since /etc/ufw/user6.rules; then
    echo 'The firewall rules were changed since it was set up and are left as they are.'
  fi
}
