# Takes steps of UFW one after the other. Values: the program that takes them at once, the rules as they were read, what is
# to be kept of rules that were taken out, how many seconds a change waits to be confirmed (0: it need not be), and of each
# step the number of its words and its words. 75: other rules are there; 77: an earlier change is about to be undone;
# 65: UFW did not take a step, and nothing was changed.
umask 022
mapfile -d '' -t values
program=${values[0]} rules=${values[1]} removed=${values[2]} seconds=${values[3]}
steps=("${values[@]:4}")

take_steps_at_once() {
  python3 -I -S -c "$program" "${steps[@]}" < <(printf %s "$rules") 9>&-
}

take_steps_singly() {
  local at=0 count
  [[ $(read_rules) == "$rules" ]] || return 75
  while ((at < ${#steps[@]})); do
    count=${steps[at]}
    ufw "${steps[@]:at+1:count}" 9>&- || return 65
    ((at += count + 1))
  done
}

# To switch it is more than rules, and another UFW than the one we know does its own work.
take_steps() {
  local code=64
  if [[ ${steps[1]} != --force || ${steps[2]} == delete ]]; then
    take_steps_at_once
    code=$?
  fi
  ((code == 64)) || return "$code"
  take_steps_singly
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
  [[ $seconds == 0 ]] || arm "$seconds" || exit 1
  take_steps
  case $? in
    0) keep_removed ;;
    75)
      [[ $seconds == 0 ]] || disarm
      exit 75
      ;;
    *)
      exec 9>&-
      [[ $seconds == 0 ]] || systemctl start "$unit.service"
      exit 65
      ;;
  esac
} </dev/null
