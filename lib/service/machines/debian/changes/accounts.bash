# What changes of accounts share. 67: the account is not as it was read; 65: its password is not taken.
umask 022
mapfile -d '' -t values
user=${values[0]}
exec 9>/run/gatehouse-accounts.lock && flock 9 || exit 1

require_account() { [[ $(id -u -- "$user" 2>/dev/null) == "$1" ]] || exit 67; }

# printf is the shell's own: the password is in no program's arguments.
set_password() { printf '%s:%s\n' "$user" "$1" | chpasswd; }
