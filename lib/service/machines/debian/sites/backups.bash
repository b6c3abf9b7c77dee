# The backups of a site, the newest first. Values: its id, its name and its domain. Prints for each: name, bytes, seconds since 1970, its
# reason, and `proven` if it was verified and has not changed since. Exit code 67: the site is not here.
mapfile -d '' -t values
name_site "${values[0]}" "${values[1]}" "${values[2]}" ''
is_ours || exit 67
while IFS= read -r each; do
  mark=''
  ! is_proven "$each" || mark=proven
  printf '%s\t%s\t%s\t%s\n' "$each" "$(stat -c $'%s\t%Y' -- "$backups_home/$each")" "$(reason_of "$each")" "$mark"
done < <(list_backups)
