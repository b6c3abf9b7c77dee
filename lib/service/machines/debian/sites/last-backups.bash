# The last backups of sites that were deleted. Prints for each, by tabs: name, bytes, seconds since 1970, its reason, `proven` if it was verified and has
# not changed since, the aliases of the site, the format of the archive, and the id and the account of the site; these are empty if the archive does not say.
source sites/backup-files.bash
source sites/manifest.bash

while IFS= read -r each; do
  is_last_backup "$each" || continue
  read_manifest "$backups_home/$each" "${each##*.}"
  mark=''
  ! is_proven "$each" || mark=proven
  printf '%s\t%s\tdelete\t%s\t%s\t%s\t%s\t%s\n' "$each" "$(stat -c $'%s\t%Y' -- "$backups_home/$each")" "$mark" "$(aliases_in_manifest)" \
    "$(value_of format)" "$(value_of id)" "$(value_of owner)"
done < <(find "$backups_home" -maxdepth 1 -type f -name '*-delete.tar.*' -printf '%f\n' 2>/dev/null)
