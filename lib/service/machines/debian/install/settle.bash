# Settles a run that ended without a word. Values: the number of the last line seen. Says whether one is running.
set -euo pipefail
umask 077
mapfile -d '' -t values
lock_runs
if is_running; then
  echo running
  exit
fi
settle "${values[0]}"
echo ended
