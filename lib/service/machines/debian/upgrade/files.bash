# Folders of earlier versions have setgid and the group www-data. Programs of the site are denied setgid, so one that repeats the mode of a folder
# could make none. Nothing of this has to be taken back: what serves them reads files of either group.
source sites/confine.bash
source sites/files.bash

upgrade_site_files() {
  local found='' folders=0 others=0 changed
  [[ -d $home ]] && id -u -- "$name" &>/dev/null || return 0
  let_apache_read
  # Programs of the site may make folders meanwhile, which get setgid from the folder they are in.
  for _ in 1 2 3; do
    found=$(give_site_its_files)
    changed=$(sed -n 's/^ *\([0-9]*\) folder$/\1/p' <<<"$found")
    folders=$((folders + ${changed:-0}))
    grep -E ' (folder|file)$' <<<"$found" >/dev/null || break
  done
  ((folders == 0)) || echo "$folders folders of $domain no longer have setgid, and its files belong to its own group."
  others=$(sed -n 's/^ *\([0-9]*\) other$/\1/p' <<<"$found")
  [[ -z $others ]] || echo "$others files or folders in $home belong to another user than $name and stay as they are. Of these the web server reads what the group $name or everybody may read."
}

# give_site_its_files: as the site's user, confined as its PHP is, because it may put links in the way at any moment. Prints how many folders and
# files were changed, and how many belong to others. Files may go away meanwhile, which find reports as an error.
give_site_its_files() {
  local properties=() each
  while IFS= read -r each; do properties+=(-p "$each"); done < <(confinement "$name")
  systemd-run --quiet --pipe --wait --collect -p User="$name" "${properties[@]}" -p PrivateNetwork=yes -p MemoryMax=512M -p TasksMax=32 -p RuntimeMaxSec=1h \
    /usr/bin/find "$home" -xdev -mindepth 1 ! -user "$name" -type d ! -readable -prune -o \( \
    \( ! -user "$name" -printf 'other\n' \) , \
    \( -user "$name" -type d -perm -2000 -printf 'folder\n' -exec chmod g-s -- {} + \) , \
    \( -user "$name" -group www-data -printf 'file\n' -exec chgrp -h -- "$name" {} + \) , \
    \( -type d ! -readable -prune \) \) 2>/dev/null | sort | uniq -c || true
}
