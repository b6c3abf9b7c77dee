# Runs several UFW commands, all or none. Values: the rules as they were read, the copies to store of removed rules,
# the seconds in which the change must be confirmed (0: no confirmation needed), and for each command its number
# of arguments and the arguments. Exit codes: 75 the rules have changed since they were read; 77 an earlier change
# waits to be confirmed or undone; 65 UFW refused a command, and nothing was changed.
source changes/firewall-guard.bash
source changes/replace-file.bash
source changes/room.bash
source facts/read-firewall.bash

umask 022
mapfile -d '' -t values
rules=${values[0]} removed=${values[1]} seconds=${values[2]}
commands=("${values[@]:3}")

# UFW exits with 0 even if the kernel refuses a rule; its output then contains the error message of iptables.
take_steps() {
  local at=0 count said
  while ((at < ${#commands[@]})); do
    count=${commands[at]}
    { said=$(ufw "${commands[@]:at+1:count}" 9>&- 2>&1 >/dev/null) && [[ $said != *tables* ]]; } || { printf '%s\n' "$said" >&2; return 1; }
    ((at += count + 1))
  done
}

# Restores the rules from before the first command. If the change has a confirmation deadline, its unit does this. Without one this
# script does, and the unit only if the script dies meanwhile.
restore() {
  local code=0
  if [[ $seconds != 0 ]]; then
    exec 9>&-
    systemctl start "$unit.service"
  else
    # The timer only guards this undo: if it cannot be written, the rules are restored all the same. A subshell, because put_file exits.
    (arm 60) || [[ -d $guard/saved ]] || mv "$guard/saving" "$guard/saved"
    put_back || code=1
    disarm
    return "$code"
  fi
}

keep_removed() {
  local known=
  read -r known 2>/dev/null <"$guard/removed"
  [[ $removed != "$known" ]] || return 0
  install -d -m 700 "$guard"
  printf '%s' "$removed" | replace_file "$guard/removed" 600 "$(byte_count "$removed")"
}

{
  await_confirmation
  hold_firewall || exit 1
  [[ ! -d $guard/saved ]] || exit 77
  # UFW overwrites its files in place, so a full disk would truncate them.
  require_room /etc/ufw /var/lib /etc/systemd/system
  await_ufw
  [[ $(read_rules) == "$rules" ]] || exit 75
  save_rules || exit 1
  [[ $seconds == 0 ]] || arm "$seconds" || exit 1
  if take_steps; then
    rm -rf "$guard/saving"
    keep_removed
  else
    restore || exit 1
    exit 65
  fi
} </dev/null
