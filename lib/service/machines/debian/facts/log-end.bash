# open_log FILE FOLDER: opens it as descriptor 5, or sets `why` to the reason why not. Checks the opened file, because the path may lead
# elsewhere by then. A link must stay within the folder. A file with several hard links may be somebody else's, so it is refused.
open_log() {
  local opened folder
  why='it cannot be opened'
  [[ -f $1 ]] && { exec 5<"$1"; } 2>/dev/null || return
  opened=$(readlink /proc/self/fd/5) folder=$(realpath -- "$2")
  if [[ ! -f /proc/self/fd/5 || $opened != "$folder"/* ]]; then
    why="it leads to $opened, outside $folder"
  elif [[ $(stat -L -c %h /proc/self/fd/5) -gt 1 ]]; then
    why="its file has more than one name"
  else
    return 0
  fi
  exec 5<&-
  return 1
}

# print_log_end FILE FOLDER BYTES: at most that much of its end; the previous rotation (.1) fills up a short file. Exits with 66 after a line
# `refused` if the file must not be read.
print_log_end() {
  local size why
  open_log "$1" "$2" || { printf 'refused\t%s\n' "$why"; exit 66; }
  exec 6<&5
  size=$(stat -L -c %s /proc/self/fd/6)
  if ((size < $3)) && open_log "$1.1" "$2"; then tail -c "$(($3 - size))" <&5; fi
  tail -c "$3" <&6
}
