# Puts the package onto the server. Values: its version, `memory` if it may be put into memory where the disk has no room for it, the package.
source changes/room.bash
source host/program.bash

set -euo pipefail
umask 022
IFS= read -r -d '' version
IFS= read -r -d '' place
# It takes 3 MB, and must not use up the room that other software on the server needs.
room_bytes=8388608
if ! has_room /usr 2>/dev/null; then
  [[ $place == memory ]] || exit 28
  install -d -m 700 "${programs_in_memory%/*}"
  programs_home=$programs_in_memory
fi
tr -d '\0' | base64 -d | put_program "$version"
