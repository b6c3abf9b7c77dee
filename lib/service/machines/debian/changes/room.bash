# Programs of the host do not always say that the disk is full, and some leave half a file then: it is asked first.
# require_room FOLDER...: ends the script with 28 where a folder has no room for a small file. A folder that is not there needs none.
require_room() {
  local folder device
  local -A asked=()
  for folder; do
    device=$(stat -c %d -- "$folder" 2>/dev/null) && [[ -z ${asked[$device]-} ]] || continue
    asked[$device]=yes
    has_room "$folder" || exit 28
  done
}

has_room() {
  local probe code=0
  probe=$(mktemp "$1/.gatehouse-room.XXXXXXXXXX") || return
  head -c 262144 /dev/zero >"$probe" && sync "$probe" || code=$?
  rm -f -- "$probe"
  return "$code"
}
