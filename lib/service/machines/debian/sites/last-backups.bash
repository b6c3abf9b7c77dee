# The last backups of sites that were deleted. Prints for each, by tabs: name, bytes, seconds since 1970, its reason, `proven` if it was verified and has
# not changed since, the format of the archive, the id and the account of the site, and its aliases; these are empty if the archive does not say.
while IFS= read -r each; do
  is_last_backup "$each" || continue
  read_manifest "$backups_home/$each" "${each##*.}"
  mark=''
  ! is_proven "$each" || mark=proven
  printf '%s\t%s\tdelete\t%s\t%s\t%s\t%s\t%s\n' "$each" "$(stat -c $'%s\t%Y' -- "$backups_home/$each")" "$mark" "$(value_of format)" "$(value_of id)" "$(value_of owner)" \
    "$(value_of aliases | grep -xE '[a-z0-9. -]+' || true)"
done < <(find "$backups_home" -maxdepth 1 -type f -name '*-delete.tar.*' -printf '%f\n' 2>/dev/null)
