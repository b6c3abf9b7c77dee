# The crontab of every user who has one: name, tab, base64 per line. Skips files of deleted users, as cron does.
# The total is limited: a crontab that exceeds the rest is cut short, and its line ends with a tab and `cut`.
source facts/read-crontab.bash

shopt -s nullglob
left=$most_crontab
for file in /var/spool/cron/crontabs/* "$site_crontabs"/*/*; do
  user=${file##*/}
  [[ $(id -un -- "$user" 2>/dev/null) == "$user" && $file == "$(crontab_file "$user")" ]] || continue
  size=$(crontab_size "$user") && text=$(print_crontab "$user" | head -c "$left" | base64 -w 0) || exit 1
  printf '%s\t%s%s\n' "$user" "$text" "$( ((size <= left)) || printf '\tcut')"
  left=$((size < left ? left - size : 0))
done
