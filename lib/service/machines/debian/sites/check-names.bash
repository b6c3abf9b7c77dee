# Whether each name of a site can be reached. Values: the site's id and name, the name or address that Gatehouse reaches the server by, and
# the names. Exit code 67: the site is not here.
set -euo pipefail
mapfile -d '' -t values
name_site "${values[0]}" "${values[1]}" '' ''
is_ours || exit 67
write_proof
why=$(closed_ports_reason)
if [[ -n $why ]]; then
  for each in "${values[@]:3}"; do printf '%s\tblocked\t%s\n' "$each" "$why"; done
else
  check_names_reach 8 "${values[@]:2}"
fi
