# Closes a run that died without a last line. Value: the number of the last line seen. Prints `running` or `ended`.
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
