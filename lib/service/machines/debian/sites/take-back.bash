# Takes back work on sites that was interrupted when the server went down. The server runs this at each boot, without Gatehouse: steps/take-back.bash. Each job
# brought the program that takes it back.
source sites/dead-jobs.bash

set -euo pipefail
umask 077
lock_jobs
# While the server is off, nobody works on its sites, so that time does not count.
seen_until=$(journalctl -q -b -1 -n 1 -o short-unix 2>/dev/null | cut -d . -f 1) || true
[[ $seen_until =~ ^[0-9]+$ ]] || seen_until=''
take_back_dead
((count == 0)) || echo "Interrupted work on sites is taken back: $count."
