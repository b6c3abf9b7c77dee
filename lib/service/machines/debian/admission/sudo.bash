# One line per user in a file of our own; checked before and after it is put in place. A name with a dot is not read by sudo.
sudoers=/etc/sudoers.d/gatehouse

write_sudoers() {
  local new
  new=$(mktemp /etc/sudoers.d/.gatehouse.XXXXXXXXXX)
  cat >"$new"
  if [[ -s $new ]]; then
    chmod 0440 "$new"
    visudo -cf "$new" >&2 || { rm -f "$new"; return 1; }
    sync "$new"
    mv -f "$new" "$sudoers"
  else
    rm -f "$new" "$sudoers"
  fi
}

sudoers_line() { printf '%s ALL=(ALL:ALL) NOPASSWD: ALL\n' "$1"; }

sudoers_without() { [[ ! -f $sudoers ]] || grep -vxF -- "$(sudoers_line "$1")" "$sudoers" || true; }

# What was amiss before we came is not ours to judge; what is amiss only since is taken back.
allow_sudo() {
  local sound=
  ! visudo -cq 2>/dev/null || sound=yes
  { sudoers_without "$1"; sudoers_line "$1"; } | write_sudoers
  [[ -z $sound ]] || visudo -c >&2 || { forbid_sudo "$1"; return 1; }
}

forbid_sudo() {
  [[ ! -f $sudoers ]] || sudoers_without "$1" | write_sudoers
}
