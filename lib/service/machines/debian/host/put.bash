# Puts the host program onto the server. Values: its version, its package.
source changes/room.bash
source host/program.bash

set -euo pipefail
mapfile -d '' -t values
require_room /usr
put_program "${values[0]}" <<<"${values[1]}"
