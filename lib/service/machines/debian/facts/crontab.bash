# One user's crontab, and on a second line the stored copies of jobs removed from crontabs, both as base64. Value: the user.
# Exit codes: 67 no such user, 69 no cron, 70 the crontab is too large to read.
source facts/read-crontab.bash

mapfile -d '' -t values
user=${values[0]}
command -v crontab >/dev/null || exit 69
[[ $(id -un -- "$user" 2>/dev/null) == "$user" ]] || exit 67
(($(crontab_size "$user") <= most_crontab)) || exit 70
read_crontab "$user" || exit 1
printf '\n%s' "$(base64 -w 0 /var/lib/gatehouse/cron/removed 2>/dev/null)"
