# Removes Gatehouse's SSH key. Values: ignored, user, public key line.
source admission/keys.bash

set -euo pipefail
umask 077
mapfile -d '' -t values
lock_keys
take_key_out "${values[1]}" "${values[2]}"
