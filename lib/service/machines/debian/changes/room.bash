# Some programs do not report a full disk, or leave half a file behind, so scripts check for free space first.
# room_bytes: how much there has to be, if 256 KB are not enough.
# room_probe: how such a file's name begins, if something removes what a killed script left.
# require_room FOLDER...: exits with 28 if a folder has no room for a small file. Folders that do not exist are skipped.
require_room() {
  local folder device
  local -A asked=()
  for folder; do
    { device=$(stat -c %d -- "$folder" 2>/dev/null) && [[ -z ${asked[$device]-} ]]; } || continue
    asked[$device]=yes
    has_room "$folder" || exit 28
  done
}

has_room() {
  local probe code=0
  probe=$(mktemp "$1/${room_probe:-.gatehouse-room}.XXXXXXXXXX") || return
  head -c "${room_bytes:-262144}" /dev/zero >"$probe" && sync "$probe" || code=$?
  rm -f -- "$probe"
  return "$code"
}
