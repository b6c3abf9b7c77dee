# What is in the way of SSL for each name of a site. Values: the site's id, name and domain, the name or address that Gatehouse reaches the server
# by, and the names. Exit code 67: the site is not here.
source sites/certificate.bash
source sites/orders.bash
source sites/reach.bash
source sites/site.bash
source sites/check-change.bash

set -euo pipefail
mapfile -d '' -t values
name_site "${values[0]}" "${values[1]}" "${values[2]}" "${values[*]:5}"
name_certificate
is_ours || exit 67
write_proof

# What would refuse the switch of SSL for any name; nothing if nothing does.
obstacle() {
  local said code=0
  said=$(
    set -e
    check_change
    check_ssl
  ) || code=$?
  # What else went wrong here is not known to be in the way.
  ((code != 3)) || tail -n 1 <<<"$said" | sed -E 's/( Nothing was changed|[,;] (so )?nothing was changed)\.$/./; s/\.\.$/./'
}

why=$(obstacle)
if [[ -n $why ]]; then
  for each in "${values[@]:4}"; do printf '%s\tblocked\t%s\n' "$each" "$why"; done
else
  check_names_reach 8 "${values[@]:3}" | while IFS=$'\t' read -r each result reason; do
    wait_for=$(waits_until "$each")
    if [[ -n $wait_for ]]; then result=blocked reason=$(too_many_failures "$each" "$wait_for"); fi
    printf '%s\t%s\t%s\n' "$each" "$result" "$reason"
  done
fi
