# Gatehouse's files on the server: written completely or not at all, and never over an edit by hand.
source steps/manifest.bash
source steps/undo.bash

# write_whole PATH MODE CONTENT-COMMAND...: the command's output becomes the file's content; on failure the file is unchanged.
write_whole() {
  local path=$1 mode=$2 new=${1%/*}/.gatehouse-new wanted
  shift 2
  wanted=$("$@" | sha256sum | cut -d' ' -f1)
  install -d -m 755 "${path%/*}"
  # A fixed temporary name, so that the next attempt overwrites what a power cut left behind.
  if "$@" >"$new" && [[ $(hash_of "$new") == "$wanted" ]] && chmod "$mode" "$new" && sync "$new" && mv -f "$new" "$path"; then
    sync "${path%/*}"
    return
  fi
  rm -f "$new"
  echo "$path could not be written."
  return 1
}

# is_hand_made PATH WANTED-HASH: the file was edited by hand, or deleted after Gatehouse wrote it.
is_hand_made() {
  local now listed
  now=$(hash_of "$1") listed=$(listed_hash_of "$1")
  if [[ -z $now ]]; then [[ -n $listed ]]; else [[ $now != "$2" && $now != "$listed" ]]; fi
}

# put PATH MODE CONTENT-FUNCTION: writes the file unless it was edited or deleted by hand.
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

# is_put PATH CONTENT-FUNCTION: the file is up to date, or was edited or deleted by hand.
is_put() {
  local wanted
  wanted=$("$2" | sha256sum | cut -d' ' -f1)
  is_hand_made "$1" "$wanted" || [[ $(hash_of "$1") == "$wanted" && $(listed_hash_of "$1") == "$wanted" ]]
}

# One sentence for each Gatehouse file that was edited or deleted by hand.
tell_hand_made() {
  local hash path
  while read -r hash path; do
    if [[ $hash == '#' || $(hash_of "$path") == "$hash" ]]; then continue; fi
    if [[ -e $path ]]; then echo "$path was edited by hand and is left as it is."; else echo "$path was deleted by hand and stays deleted."; fi
  done < <(manifest_lines)
}

# Pending restarts are files, so they survive an interruption between a change and its restart.
owe_restart() { : >"/var/lib/gatehouse/install/owed-$1"; }
owes_restart() { [[ -e /var/lib/gatehouse/install/owed-$1 ]]; }
restart_paid() { rm -f "/var/lib/gatehouse/install/owed-$1"; }
