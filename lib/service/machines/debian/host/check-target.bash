# Tests whether copies of backups can be stored at a target. Value: the target, as JSON with what opens it. Prints an event of the host program. Exit code 4: a
# program is missing, and the line says which.
source host/run-program.bash
source host/whole.bash
source sites/refuse.bash

set -euo pipefail
umask 077
mapfile -d '' -t values
has_python || not_installed 'Python is missing on this server. Install the server, or its package python3.'
command -v sftp >/dev/null || not_installed 'OpenSSH’s client is missing on this server. Install its package openssh-client.'
[[ ${values[0]} != *'"access":"rclone"'* ]] || command -v restic >/dev/null ||
  not_installed 'restic is missing on this server. Run “apt-get install restic” there, or choose a server that has made copies.'
run_host_program <<END
{"protocol": 1, "job": "check-target", "target": ${values[0]}}
END
