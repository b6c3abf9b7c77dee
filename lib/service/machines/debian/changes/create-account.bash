# Creates a system user that can log in. Values: name, password.
source changes/accounts.bash
source changes/room.bash

require_room /etc /home
# useradd exits with 9 if a user or group of that name exists.
useradd -m -K HOME_MODE=0700 -s /bin/bash -- "$user" </dev/null
code=$?
((code != 9)) || exit 67
# Removes what a failed useradd leaves behind, such as a user whose home could not be created.
((code == 0)) || { ! id -u -- "$user" &>/dev/null || userdel -r -- "$user" </dev/null; exit "$code"; }
set_password "${values[1]}" || { userdel -r -- "$user" </dev/null; exit 65; }
