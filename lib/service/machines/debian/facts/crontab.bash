# The crontab of one account. Value: the account. 67: there is no such account; 69: no cron.
mapfile -d '' -t values
user=${values[0]}
command -v crontab >/dev/null || exit 69
[[ $(id -un -- "$user" 2>/dev/null) == "$user" ]] || exit 67
read_crontab "$user"
