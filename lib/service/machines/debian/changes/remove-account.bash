# Deletes a system user with its crontab and home. Values: name, uid.
# Exit codes: 73 programs run as the user; 74 files use the user or its home. Prints them and changes nothing.
source changes/account-uses.bash
source changes/accounts.bash
source changes/room.bash
source facts/read-crontab.bash

uid=${values[1]}
require_account "$uid"
require_room /etc /var/spool/cron
# By its exact name: getent would take one of digits for a number.
home=''
while IFS=: read -r name _ _ _ _ folder _; do [[ $name != "$user" ]] || home=$folder; done < <(getent passwd)

list_programs() { ps -o comm= -U "$uid" -u "$uid" 2>/dev/null | sort -u; }

# Ends the programs that systemd keeps running for a while after a logout.
end_leftovers() {
  if [[ -z $1 ]] || grep -qvxE 'systemd|\(sd-pam\)|dbus-daemon|gpg-agent' <<<"$1"; then return; fi
  systemctl stop "user@$uid.service"
}

# Deletes the home only if it clearly belongs to this user alone.
remove_home() {
  [[ $home =~ ^/home/[^/]+$ && $home != */.. && -d $home && ! -L $home && $(stat -c %u -- "$home") == "$uid" ]] || return 0
  awk -F: -v home="$home" '$6 == home || index($6, home "/") == 1 { found = 1 } END { exit found }' /etc/passwd || return 0
  rm -rf --one-file-system -- "$home"
}

{
  uses=$(list_uses | sort -u)
  [[ -z $uses ]] || { printf '%s\n' "$uses"; exit 74; }
  end_leftovers "$(list_programs)"
  programs=$(list_programs)
  [[ -z $programs ]] || { printf '%s\n' "$programs"; exit 73; }

  # userdel keeps the crontab, and cron would run it for the next user of that name.
  crontab=
  ! command -v crontab >/dev/null || crontab=$(read_crontab "$user") || exit 1
  [[ -z $crontab ]] || crontab -r -u "$user" || exit 1
  userdel -- "$user"
  code=$?
  if ((code != 0)); then
    [[ -z $crontab ]] || base64 -d <<<"$crontab" | crontab -u "$user" -
    ((code != 8)) || { list_programs; exit 73; }
    exit "$code"
  fi
  rm -f -- "/var/mail/$user"
  remove_home
} </dev/null
