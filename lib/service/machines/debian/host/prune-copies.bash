# Deletes copies from a repository in a folder of this server. Values: the target, as JSON with what opens it; the ids of the snapshots, one a line. Prints an event
# of the host program. Exit code 4: a program is missing, and the line says which.
source host/run-program.bash
source host/whole.bash
source sites/refuse.bash

set -euo pipefail
umask 077
mapfile -d '' -t values
has_python || not_installed 'Python is missing on this server. Install the server, or its package python3.'
command -v restic >/dev/null || not_installed 'restic is missing on this server. Run “apt-get install restic” there.'
# More than a request may have.
list=$(mktemp /run/gatehouse-snapshots.XXXXXXXX)
trap 'rm -f -- "$list"' EXIT
printf '%s\n' "${values[1]}" >"$list"
run_host_program <<END
{"protocol": 1, "job": "prune-copies", "list": "$list", "target": ${values[0]}}
END
