source steps/nightly-backup/server.bash
source steps/nightly-backup/status.bash

install -d -m 700 "$store"
exec 9>"$store/.lock"
# A reader that checks whether a backup is running holds the lock for a moment.
flock -w 5 9 || { echo 'Another backup is running.' >&2; exit 1; }
unexpected='The backup ended unexpectedly. The journal of gatehouse-backup.service may say why.'
was_stopped='The backup was stopped before it was complete.'
stopped=''
trap 'stopped=yes' TERM INT HUP
rm -rf "$work" "$result"
write_status running '' || true
# In a condition, bash would not stop these after an error.
set +e
# What is to be deleted may be the room that is needed.
back_up_sites expiry
[[ -n $stopped ]] || back_up_server
outcome=failed sentence=$unexpected
if [[ -s $result ]]; then
  mapfile -d '' -t said <"$result"
  outcome=${said[0]} sentence=${said[1]}
fi
rm -f "$result"
if [[ -z $stopped ]]; then
  failed_sites=$(back_up_sites | paste -sd ' ')
  if [[ -n $failed_sites ]]; then
    [[ $outcome == failed ]] || outcome=partial
    sentence+="${sentence:+ }Sites without a new backup of their own: ${failed_sites// /, }."
  fi
fi
[[ -z $stopped ]] || outcome=failed sentence=$was_stopped
[[ $outcome == 'done' ]] || echo "$outcome: $sentence" >&2
write_status "$outcome" "$sentence"
# A partial run exits with a failure, so that monitoring of systemd units reports it.
[[ $outcome == 'done' ]]
