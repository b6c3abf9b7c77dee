# Edits Gatehouse's line in a user's authorized_keys as that user: root must not follow a path that the user can redirect.
source admission/sudo.bash

edit_keys='
set -euo pipefail
umask 077
action=$1
IFS= read -r wanted
cd -- "$2"
[[ -d .ssh ]] || { [[ $action == add ]] || exit 0; mkdir -m 700 .ssh; }
file=$(readlink -f .ssh/authorized_keys)
[[ -O ${file%/*} ]] || { echo "${file%/*} does not belong to the user" >&2; exit 1; }
[[ -e $file || $action == add ]] || exit 0
[[ ! -e $file || -f $file ]] || { echo "$file is not a plain file" >&2; exit 1; }
new=$(mktemp "${file%/*}/.gatehouse.XXXXXXXXXX")
trap "rm -f \"\$new\"" EXIT
if [[ -e $file ]]; then
  blob=${wanted#* } blob=${blob%% *}
  BLOB=$blob awk "index(\$0, ENVIRON[\"BLOB\"]) == 0" "$file" >"$new"
fi
[[ $action != add ]] || printf "%s\n" "$wanted" >>"$new"
[[ ! -e $file ]] || cp --attributes-only --preserve=mode -- "$file" "$new"
sync "$new"
mv -f -- "$new" "$file"
'

# edit_keys_of USER add|remove PUBLIC-KEY-LINE
edit_keys_of() {
  local home
  home=$(getent passwd -- "$1" | cut -d: -f6)
  [[ -d $home ]] || { echo "$1 has no home directory" >&2; return 1; }
  printf '%s\n' "$3" | runuser -u "$1" -- bash --noprofile --norc -c "$edit_keys" gatehouse "$2" "$home"
}

# One at a time: if two keys are removed at the same moment, exactly one of them must be the last.
lock_keys() { exec 8>/run/gatehouse-keys.lock && flock -w 60 8; }

# others_come_in_as USER PUBLIC-KEY-LINE: true if another Gatehouse, or another account of the same service, logs in as this user.
others_come_in_as() {
  local home blob=${2#* }
  home=$(getent passwd -- "$1" | cut -d: -f6)
  BLOB=${blob%% *} runuser -u "$1" -- awk '
    /^[^#].* gatehouse:[0-9a-f]+[[:space:]]*$/ && index($0, ENVIRON["BLOB"]) == 0 { found = 1 }
    END { exit !found }' "$home/.ssh/authorized_keys" 2>/dev/null
}

# others_come_in PUBLIC-KEY-LINE: the same for every user that a Gatehouse key may belong to.
others_come_in() {
  local user
  while read -r user _; do
    if others_come_in_as "$user" "$1" </dev/null; then return 0; fi
  done < <(echo root; cat "$sudoers" 2>/dev/null)
  return 1
}

# take_key_out USER PUBLIC-KEY-LINE: removing a user's last Gatehouse key also revokes its sudo rights, even if the key cannot be removed.
take_key_out() {
  local failed=0
  edit_keys_of "$1" remove "$2" || failed=1
  [[ $1 == root ]] || others_come_in_as "$1" "$2" </dev/null || forbid_sudo "$1" </dev/null
  return "$failed"
}
