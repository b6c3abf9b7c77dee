# Deletes last backups of sites that were deleted. Values: their names. Those that are gone are skipped.
source sites/backup-files.bash

mapfile -d '' -t values
failed=0
for each in "${values[@]}"; do
  ! is_last_backup "$each" || remove_backup "$each" || failed=1
done
exit "$failed"
