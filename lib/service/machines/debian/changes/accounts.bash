# Shared by all changes of system users. Exit codes: 67 the user has changed since it was read; 65 the password was refused.
umask 022
mapfile -d '' -t values
user=${values[0]}
{ install -d -m 700 /run/gatehouse && exec 9>/run/gatehouse/accounts.lock && flock 9; } || exit 1

require_account() { [[ $(id -u -- "$user" 2>/dev/null) == "$1" ]] || exit 67; }

# printf is a shell builtin, so the password appears in no program's arguments.
set_password() { printf '%s:%s\n' "$user" "$1" | chpasswd; }
