# Gives an account another password. Values: its name, its number, the password.
require_account "${values[1]}"
require_room /etc
set_password "${values[2]}" || exit 65
