# Files of ours on the machine: written whole or not at all, and never over somebody's edit.

# write_whole PATH MODE CONTENT-COMMAND...: the file holds what the command prints, or is as it was.
write_whole() {
  local path=$1 mode=$2 new=${1%/*}/.gatehouse-new wanted
  shift 2
  wanted=$("$@" | sha256sum | cut -d' ' -f1)
  install -d -m 755 "${path%/*}"
  # A fixed name for the unfinished: what a power cut leaves behind is written over the next time.
  if "$@" >"$new" && [[ $(hash_of "$new") == "$wanted" ]] && chmod "$mode" "$new" && sync "$new" && mv -f "$new" "$path"; then
    sync "${path%/*}"
    return
  fi
  rm -f "$new"
  echo "$path could not be written."
  return 1
}

# is_hand_made PATH WANTED-HASH: somebody edited the file, or deleted it after we put it there.
is_hand_made() {
  local now listed
  now=$(hash_of "$1") listed=$(listed_hash_of "$1")
  if [[ -z $now ]]; then [[ -n $listed ]]; else [[ $now != "$2" && $now != "$listed" ]]; fi
}

# put PATH MODE CONTENT-FUNCTION: a file that was edited or deleted by hand stays so.
put() {
  local path=$1 wanted
  wanted=$("$3" | sha256sum | cut -d' ' -f1)
  ! is_hand_made "$path" "$wanted" || return 0
  if [[ $(hash_of "$path") != "$wanted" ]]; then
    save_before "$path"
    write_whole "$path" "$2" "$3"
  fi
  [[ $(listed_hash_of "$path") == "$wanted" ]] || record "$wanted  $path"
}

# is_put PATH CONTENT-FUNCTION: it stands there as we want it, or as somebody else wants it.
is_put() {
  local wanted
  wanted=$("$2" | sha256sum | cut -d' ' -f1)
  is_hand_made "$1" "$wanted" || [[ $(hash_of "$1") == "$wanted" && $(listed_hash_of "$1") == "$wanted" ]]
}

# One sentence for each file of ours that differs from what we put there.
tell_hand_made() {
  local hash path
  while read -r hash path; do
    if [[ $hash == '#' || $(hash_of "$path") == "$hash" ]]; then continue; fi
    if [[ -e $path ]]; then echo "$path was edited by hand and is left as it is."; else echo "$path was deleted by hand and stays deleted."; fi
  done < <(manifest_lines)
}

# A restart that is still owed outlives whatever interrupts us between the change and the restart.
owe_restart() { : >"/var/lib/gatehouse/install/owed-$1"; }
owes_restart() { [[ -e /var/lib/gatehouse/install/owed-$1 ]]; }
restart_paid() { rm -f "/var/lib/gatehouse/install/owed-$1"; }
