# One line per user in a file of our own; checked before and after it is put in place. A name with a dot is not read by sudo.
# The file and what stands behind the user's name come from outside: sudoers, sudoers_rule.

# write_sudoers TEXT: whole or not at all; without a line there is no file.
write_sudoers() {
  local new
  [[ -n $1 ]] || { rm -f -- "$sudoers"; return; }
  new=$(mktemp /etc/sudoers.d/.gatehouse.XXXXXXXXXX) || return
  if printf '%s\n' "$1" >"$new" && chmod 0440 "$new" && visudo -cf "$new" >&2 && sync "$new" && mv -f -- "$new" "$sudoers"; then return; fi
  rm -f -- "$new"
  return 1
}

# shellcheck disable=SC2154
sudoers_line() { printf '%s %s\n' "$1" "$sudoers_rule"; }

# grep ends with 1 where no other line is left.
sudoers_without() { [[ ! -f $sudoers ]] || grep -vxF -- "$(sudoers_line "$1")" "$sudoers" || [[ $? == 1 ]]; }

# What was amiss before we came is not ours to judge; what is amiss only since is taken back.
allow_sudo() {
  local sound= others
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
