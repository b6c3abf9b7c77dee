# Takes steps of UFW one after the other. Values: the rules of either family that were read, what is to be kept of rules
# that were taken out, how many seconds a change waits to be confirmed (0: it need not be), and of each step the number
# of its words and its words. 75: other rules are there; 77: an earlier change is about to be undone; 65: UFW did not take a step, and nothing was changed.
umask 022
mapfile -d '' -t values
rules=${values[0]} rules6=${values[1]} removed=${values[2]} seconds=${values[3]}
steps=("${values[@]:4}")

take_steps() {
  local at=0 count
  while ((at < ${#steps[@]})); do
    count=${steps[at]}
    ufw "${steps[@]:at+1:count}" 9>&- || return 1
    ((at += count + 1))
  done
}

keep_removed() {
  install -d -m 700 "$guard"
  printf '%s' "$removed" >"$guard/.removed-new" && mv -f "$guard/.removed-new" "$guard/removed"
}

{
  await_confirmation
  hold_firewall || exit 1
  [[ ! -d $guard/saved ]] || exit 77
  [[ $(read_rules user.rules) == "$rules" && $(read_rules user6.rules) == "$rules6" ]] || exit 75
  [[ $seconds == 0 ]] || arm "$seconds" || exit 1
  if ! take_steps; then
    exec 9>&-
    [[ $seconds == 0 ]] || systemctl start "$unit.service"
    exit 65
  fi
  keep_removed
} </dev/null
