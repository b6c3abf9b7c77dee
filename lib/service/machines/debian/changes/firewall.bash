# Takes steps of UFW one after the other, all of them or none. Values: the rules as they were read, what is to be kept of
# rules that were taken out, how many seconds a change waits to be confirmed (0: it need not be), and of each step the
# number of its words and its words. 75: other rules are there; 77: an earlier change is about to be undone;
# 65: UFW did not take a step, and nothing was changed.
umask 022
mapfile -d '' -t values
rules=${values[0]} removed=${values[1]} seconds=${values[2]}
steps=("${values[@]:3}")

# UFW reads its rules before it waits for its lock, and then writes what it has read: whoever uses it now is waited for.
await_ufw() { python3 -I -S -c 'import fcntl; fcntl.lockf(open("/run/ufw.lock", "w"), fcntl.LOCK_EX)' 9>&-; }

# UFW ends with 0 also where the kernel takes no rule: what iptables says about it is then among its words.
take_steps() {
  local at=0 count said
  while ((at < ${#steps[@]})); do
    count=${steps[at]}
    said=$(ufw "${steps[@]:at+1:count}" 9>&- 2>&1 >/dev/null) && [[ $said != *tables* ]] || { printf '%s\n' "$said" >&2; return 1; }
    ((at += count + 1))
  done
}

# The rules before the first step come back from their copy. A change that waits to be confirmed is undone by its unit; for
# any other no unit would try again, so no copy stays.
restore() {
  local code=0
  if [[ $seconds != 0 ]]; then
    exec 9>&-
    systemctl start "$unit.service"
  else
    mv "$guard/saving" "$guard/saved" && put_back || code=1
    rm -rf "$guard/saved"
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
  # UFW writes its files in place.
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
