# One line per user in a sudoers file of Gatehouse's own, checked before and after it is installed. sudo ignores file names with a dot.
# sudoers: the file's path; sudoers_rule: the text after the user's name. The caller sets both.
: "${sudoers:?}" "${sudoers_rule:?}"

# write_sudoers TEXT: completely or not at all; empty text removes the file.
write_sudoers() {
  local new
  [[ -n $1 ]] || { rm -f -- "$sudoers"; return; }
  new=$(mktemp /etc/sudoers.d/.gatehouse.XXXXXXXXXX) || return
  if printf '%s\n' "$1" >"$new" && chmod 0440 "$new" && visudo -cf "$new" >&2 && sync "$new" && mv -f -- "$new" "$sudoers"; then return; fi
  rm -f -- "$new"
  return 1
}

sudoers_line() { printf '%s %s\n' "$1" "$sudoers_rule"; }

# grep exits with 1 if no other line remains.
sudoers_without() { [[ ! -f $sudoers ]] || grep -vxF -- "$(sudoers_line "$1")" "$sudoers" || [[ $? == 1 ]]; }

# Reverts the change if it broke a sudo configuration that was valid before. Earlier errors are not Gatehouse's to judge.
allow_sudo() {
  local sound='' others
  ! visudo -cq 2>/dev/null || sound=yes
  others=$(sudoers_without "$1") || return 1
  write_sudoers "${others:+$others$'\n'}$(sudoers_line "$1")" || return 1
  [[ -z $sound ]] || visudo -c >&2 || { forbid_sudo "$1"; return 1; }
}

forbid_sudo() {
  local others
  [[ -f $sudoers ]] || return 0
  others=$(sudoers_without "$1") || return 1
  write_sudoers "$others"
}
