# Authorizes Gatehouse's SSH key. Values: ignored, user, public key line.
source admission/keys.bash
source admission/sudo.bash
source changes/room.bash
source install/peer-address.bash
source sites/guesses.bash

set -euo pipefail
umask 077
mapfile -d '' -t values
user=${values[1]} line=${values[2]}
lock_keys
require_room /etc/sudoers.d
[[ $user == root ]] || allow_sudo "$user" </dev/null
edit_keys_of "$user" add "$line"
# What slows guesses of passwords here must not shut Gatehouse out, wherever it comes from now.
if [[ -e $guesses_conf ]]; then admit_peer "$(peer_address)" || true; fi
