# Changes a system user's password. Values: name, uid, password.
source changes/accounts.bash
source changes/room.bash

require_account "${values[1]}"
require_room /etc
set_password "${values[2]}" || exit 65
