# Removes a Gatehouse SSH key that was replaced. Values: ignored, user, public key line.
source admission/keys.bash

set -euo pipefail
umask 077
mapfile -d '' -t values
# On a reinstalled server the user may no longer exist.
getent passwd -- "${values[1]}" >/dev/null || exit 0
lock_keys
take_key_out "${values[1]}" "${values[2]}"
