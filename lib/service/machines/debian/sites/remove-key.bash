# Removes an SFTP key of a site. Values: the site's id and name, and the key's fingerprint. Lines that are no key stay. Exit codes: begin_keys.
source sites/sftp-keys.bash
source sites/site.bash

set -euo pipefail
umask 022
mapfile -d '' -t values
begin_keys "${values[0]}" "${values[1]}"
[[ -e $(keys_file) ]] || exit 68
left=()
found=''
while IFS= read -r line || [[ -n $line ]]; do
  if [[ -n $line && $line != '#'* && $(fingerprint_of <<<"$line") == "${values[2]}" ]]; then found=yes; else left+=("$line"); fi
done <"$(keys_file)"
[[ -n $found ]] || exit 68
printf '%s\n' "${left[@]}" | { if ((${#left[@]} > 0)); then cat; fi; } | put_keys
