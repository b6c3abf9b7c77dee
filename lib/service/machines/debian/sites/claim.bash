# Writes whom sites belong to into their records, where these do not say it. Values: the tag of the account, and the ids of the sites.
source sites/site.bash

mapfile -d '' -t values
install -d -m 700 "${sites_lock%/*}"
exec 8>"$sites_lock"
flock -w 60 8
for record in "$sites_home"/*/site; do
  [[ -f $record && ! -L $record ]] || continue
  ! grep -q '^owner ' "$record" || continue
  for id in "${values[@]:1}"; do
    [[ $(sed -n 's/^id //p' "$record") != "$id" ]] || { cat "$record"; echo "owner ${values[0]}"; } | write_file "$record" 600
  done
done
