# Closes a run that died without a last line. Value: the number of the last line seen. Prints `running` or `ended`.
source install/run-files.bash

set -euo pipefail
umask 077
mapfile -d '' -t values
lock_runs
if is_running; then
  echo running
  exit
fi
settle "${values[0]}"
# An upgrade that died has left a part half done, which must not wait for the next one. Nothing else starts meanwhile.
if [[ -n $(find /var/lib/gatehouse/upgrade/now -mindepth 1 -maxdepth 1 2>/dev/null) && $(cat "$install_home/kind") =~ ^(upgrade|recovery)$ ]]; then
  echo recovery >"$install_home/kind"
  run_unit recover
fi
echo ended
