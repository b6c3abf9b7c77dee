# Reads one framed request from standard input into script, values, limit and most.
# read -N counts bytes because LC_ALL=C is set. A short read means that the client disconnected.
take() {
  REPLY=
  [[ $1 == 0 ]] && return
  IFS= read -r -N "$1" REPLY && [[ ${#REPLY} == "$1" ]] || exit 72
}

take_request() {
  local word length script_length count
  read -r word nonce limit most script_length count && [[ $word == run ]] || return 1
  take "$script_length"
  script=$REPLY
  values=()
  while ((count-- > 0)); do
    read -r length || exit 72
    take "$length"
    values+=("$REPLY")
  done
}

give_values() {
  ((${#values[@]} == 0)) || printf '%s\0' "${values[@]}" 2>/dev/null
}
