# Deletes backups of a site. Values: its id, name and domain, and names of backups. Those that are gone are skipped. Exit code 67: the site
# is not here.
source sites/backup-files.bash
source sites/site.bash

mapfile -d '' -t values
name_site "${values[0]}" "${values[1]}" "${values[2]}" ''
is_ours || exit 67
failed=0
for each in "${values[@]:3}"; do
  ! is_backup "$each" || remove_backup "$each" || failed=1
done
exit "$failed"
