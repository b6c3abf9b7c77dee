# Prints the crontab of an account as base64, nothing where it has none. A crontab that cannot be read is not an empty one.
read_crontab() {
  local said
  if ! said=$(crontab -l -u "$1" 2>&1 >/dev/null); then
    [[ $said == 'no crontab for '* ]] && return
    printf '%s\n' "$said" >&2
    return 1
  fi
  (set -o pipefail && crontab -l -u "$1" | base64 -w 0)
}
