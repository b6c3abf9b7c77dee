# Prints the file of a site's SFTP keys. Values: the site's id and name. Exit code 67: the site is not here.
source sites/site.bash

set -euo pipefail
mapfile -d '' -t values
name_site "${values[0]}" "${values[1]}" '' ''
is_ours || exit 67
[[ ! -e $(keys_file) ]] || head -c 262144 -- "$(keys_file)"
