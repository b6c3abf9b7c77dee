# Replaces a crontab. Values: the user, the expected and the new crontab, both as base64, and the copies to store of
# jobs removed from crontabs.
# Exit codes: 75 the crontab has changed since it was read; 65 cron refused the new one and says why. Both change nothing.
source changes/replace-file.bash
source changes/room.bash
source facts/read-crontab.bash
source sites/site-cron.bash

umask 077
mapfile -d '' -t values
user=${values[0]} before=${values[1]} after=${values[2]} removed=${values[3]}
kept=/var/lib/gatehouse/cron
exec 9>/run/gatehouse-crontab.lock && flock 9 || exit 1
require_room /var/spool/cron /var/lib
! is_site_user "$user" || confine_crontab "$user" || exit 1
now=$(read_crontab "$user") || exit 1
[[ $now == "$before" ]] || exit 75
if [[ $after == '' ]]; then
  change_crontab "$user" -r </dev/null || exit 1
else
  base64 -d <<<"$after" | change_crontab "$user" - || exit 65
fi
! is_site_user "$user" || run_site_cron "$user" || exit 1
# The crontab is already written, so a failure here is ignored: a job restored later is then appended at the end.
install -d -m 700 "$kept" && printf '%s' "$removed" | replace_file "$kept/removed" 600 "$(byte_count "$removed")"
exit 0
