# Puts a crontab in the place of another. Values: the account, what was there and what is to be there, both as base64, and
# what is to be kept of jobs that were taken out.
# 75: something else is there by now; 65: cron does not take it, and why. Nothing is changed then.
umask 077
mapfile -d '' -t values
user=${values[0]} before=${values[1]} after=${values[2]} removed=${values[3]}
kept=/var/lib/gatehouse/cron
exec 9>/run/gatehouse-crontab.lock && flock 9 || exit 1
require_room /var/spool/cron /var/lib
now=$(read_crontab "$user") || exit 1
[[ $now == "$before" ]] || exit 75
if [[ $after == '' ]]; then
  crontab -r -u "$user" </dev/null || exit 1
else
  base64 -d <<<"$after" | crontab -u "$user" - || exit 65
fi
# The crontab is as it is to be: without this a job that is put back comes to stand at its end.
install -d -m 700 "$kept" && printf '%s' "$removed" | replace_file "$kept/removed" 600 "$(byte_count "$removed")"
exit 0
