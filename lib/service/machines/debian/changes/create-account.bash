# Makes an account that can log in. Values: its name, its password.
require_room /etc /home
# useradd ends with 9 where there is an account or a group of that name.
useradd -m -K HOME_MODE=0700 -s /bin/bash -- "$user" </dev/null
code=$?
((code != 9)) || exit 67
# What it began is taken away again: a home that could not be made leaves the account behind.
((code == 0)) || { ! id -u -- "$user" &>/dev/null || userdel -r -- "$user" </dev/null; exit "$code"; }
set_password "${values[1]}" || { userdel -r -- "$user" </dev/null; exit 65; }
