# Takes a key of ours out that another has taken the place of. Values: ignored, user, public key line.
set -euo pipefail
umask 077
mapfile -d '' -t values
# A machine that was set up anew may not have the user any more.
getent passwd -- "${values[1]}" >/dev/null || exit 0
lock_keys
take_key_out "${values[1]}" "${values[2]}"
