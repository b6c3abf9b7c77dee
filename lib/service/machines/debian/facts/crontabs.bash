# The crontab of every account that has one: name, tab, base64 per line. Files of accounts that are gone are left out, as cron does.
cd /var/spool/cron/crontabs 2>/dev/null || exit 0
shopt -s nullglob
for user in *; do
  [[ $(id -un -- "$user" 2>/dev/null) == "$user" ]] || continue
  text=$(read_crontab "$user") || exit 1
  printf '%s\t%s\n' "$user" "$text"
done
