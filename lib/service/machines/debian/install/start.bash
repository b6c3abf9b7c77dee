# Starts a run or attaches to the running one of the same kind; prints which, and its first line. Values: the kind, such as `install`,
# the SSH port that Gatehouse uses, `cut off` if the firewall would refuse a new connection from Gatehouse. Exit code 73: work on a
# site is running, or a run of another kind.
source host/job-file.bash
source install/peer-address.bash
source install/run-files.bash
source sites/guesses.bash
source unit-is-running.bash

set -euo pipefail
umask 077
mapfile -d '' -t values

lock_runs
if is_running; then
  [[ $(cat "$install_home/kind" 2>/dev/null || echo install) == "${values[0]}" ]] || exit 73
  printf 'attached\t%s\n' "$(first_line)"
  exit
fi
# Gatehouse may have lost sight of it.
! any_is_running 'gatehouse-site-job*.service' || exit 73
settle 0
content_job "server/${values[0]}" "$install_home/events" >"$install_home/job.new"
mv -f "$install_home/job.new" "$install_home/job.bash"
printf '%s\n' "${values[0]}" >"$install_home/kind"
printf '%s\n' "${values[1]}" >"$install_home/port"
rm -f "$install_home/cut-off"
note_peer "$(peer_address)"
[[ ${values[2]} != 'cut off' ]] || peer_address >"$install_home/cut-off"
head -c 65536 /dev/zero >"$install_home/reserve"
line_count >"$install_home/first.new"
mv -f "$install_home/first.new" "$install_home/first"
run_unit
printf 'started\t%s\n' "$(first_line)"
