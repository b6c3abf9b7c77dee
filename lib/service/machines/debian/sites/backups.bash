# The backups of a site, the newest first. Values: its id, its name and its domain. Prints for each: name, bytes, seconds since 1970, its
# reason, `proven` if it was verified and has not changed since, and the aliases that a restore brings back: those of a site that was created
# again since. Exit code 67: the site is not here.
source sites/backup-files.bash
source sites/manifest.bash
source sites/site.bash

mapfile -d '' -t values
name_site "${values[0]}" "${values[1]}" "${values[2]}" ''
is_ours || exit 67
while IFS= read -r each; do
  mark=''
  ! is_proven "$each" || mark=proven
  back=''
  read_manifest "$backups_home/$each" "${each##*.}"
  [[ $(value_of id) == "$site_id" ]] || back=$(aliases_in_manifest)
  printf '%s\t%s\t%s\t%s\t%s\n' "$each" "$(stat -c $'%s\t%Y' -- "$backups_home/$each")" "$(reason_of "$each")" "$mark" "$back"
done < <(list_backups)
