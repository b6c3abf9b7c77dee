# Takes back work on sites that was interrupted when the server went down. The server runs this at each boot, without Gatehouse: steps/take-back.bash. Each job
# names what takes it back: job-file.bash.
source sites/dead-jobs.bash

set -euo pipefail
umask 077
lock_jobs
# While the server is off, nobody works on its sites, so that time does not count.
seen_until=$(journalctl -q -b -1 -n 1 -o short-unix 2>/dev/null | cut -d . -f 1) || true
[[ $seen_until =~ ^[0-9]+$ ]] || seen_until=''
has_dead || exit 0
# A job whose tables could not be put back would not be taken back again.
if systemctl -q is-enabled mariadb.service 2>/dev/null && ! systemctl -q is-active mariadb.service; then
  echo 'Work on sites was interrupted, but MariaDB does not run, so nothing is taken back yet. This is tried again every 30 seconds.'
  exit 1
fi
take_back_dead
echo 'Interrupted work on sites is taken back.'
