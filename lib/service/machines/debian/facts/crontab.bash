# The crontab of one account, and in a second line what is kept of jobs that were taken out of crontabs, both as base64. Value: the account.
# 67: there is no such account; 69: no cron; 70: the crontab is larger than what is read whole.
mapfile -d '' -t values
user=${values[0]}
command -v crontab >/dev/null || exit 69
[[ $(id -un -- "$user" 2>/dev/null) == "$user" ]] || exit 67
(($(crontab_size "$user") <= most_crontab)) || exit 70
read_crontab "$user" || exit 1
printf '\n%s' "$(base64 -w 0 /var/lib/gatehouse/cron/removed 2>/dev/null)"
