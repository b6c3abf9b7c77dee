# Prints the crontab of an account as base64, nothing where it has none. A crontab that cannot be read is not an empty one.
read_crontab() {
  local text said
  if text=$(crontab -l -u "$1" 2>/dev/null | base64 -w 0 && exit "${PIPESTATUS[0]}"); then
    printf '%s' "$text"
    return
  fi
  said=$(crontab -l -u "$1" 2>&1 >/dev/null)
  [[ $said == 'no crontab for '* ]] && return
  printf '%s\n' "$said" >&2
  return 1
}
