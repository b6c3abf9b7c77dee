# Takes our key out again, and with the last such key of a user its right to become root. Values: ignored, user, public key line.
set -euo pipefail
umask 077
mapfile -d '' -t values
user=${values[1]} line=${values[2]}
edit_keys_of "$user" remove "$line"
[[ $user == root ]] || others_come_in_as "$user" </dev/null || forbid_sudo "$user" </dev/null
