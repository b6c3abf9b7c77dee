# Restoring a backup: it is unpacked and loaded beside the live site and checked there; then both change places, during a pause. The former site is
# kept for a day, in the folder .replaced of the site and a database of its own. What becomes of names, SSL and settings: as-before.bash.
source changes/room.bash
source host/run-program.bash
source sites/as-before.bash
source sites/backup-files.bash
source sites/check-archive.bash
source sites/check-data.bash
source sites/check.bash
source sites/files.bash
source sites/jobs/pull.bash
source sites/logins.bash
source sites/make-backup.bash
source sites/pause.bash
source sites/refuse.bash
source sites/scratch.bash
source sites/site.bash
source sites/staging/content.bash
source sites/staging/copy.bash
source sites/staging/copying.bash
source sites/staging/tables.bash
source sites/swap-database.bash

name_restore() {
  restoring=$home/.restoring
  replacing=$home/.replacing
  replaced=$home/.replaced
}

check_restore() {
  is_backup "$wanted" || refuse "There is no backup $wanted of this site. Nothing was changed."
  require_valid_configuration
  require_database
  has_user "$name" || refuse "The database user $name is missing. Nothing was changed."
  [[ -d $home/public ]] || refuse "$home/public is missing. Nothing was changed."
  require_no_remains
  require_room "$home" /etc /var/lib/gatehouse
  check_wanted
}

# check_wanted: the backup that is to be restored.
check_wanted() {
  local hash extension=${wanted##*.} found bytes parts left
  if [[ -f $backups_home/.$wanted.proven ]]; then
    hash=$(sha256sum <"$backups_home/$wanted" | cut -d' ' -f1)
    [[ $hash == "$(cut -d' ' -f1 "$backups_home/.$wanted.proven")" ]] || refuse 'The backup was changed since it was made. Nothing was changed.'
  fi
  [[ $extension == gz ]] || command -v zstd >/dev/null || refuse 'The program zstd is missing. Run “apt-get install zstd”, then try again. Nothing was changed.'
  read_manifest "$backups_home/$wanted" "$extension"
  [[ $(value_of format) =~ ^[0-9]{1,4}$ ]] || refuse 'This is no backup of a site. Nothing was changed.'
  (($(value_of format) <= backup_format)) || refuse 'The backup was made by a newer version of Gatehouse. Nothing was changed.'
  [[ $(value_of database) == yes ]] || refuse 'The backup has no database. Nothing was changed.'
  [[ $(value_of user) =~ ^[1-9][0-9]{0,9}$ && $(value_of group) =~ ^[1-9][0-9]{0,9}$ && $(value_of web) =~ ^[1-9][0-9]{0,9}$ ]] ||
    refuse 'The backup does not say whom its files belong to. Nothing was changed.'
  found=$(check_archive "$extension" <"$backups_home/$wanted") ||
    refuse "$([[ $found == The* ]] && echo "$found" || echo 'The archive is damaged.') Nothing was changed."
  { read -r bytes; IFS= read -r parts; IFS= read -r left || true; } <<<"$found"
  tr '\t' '\n' <<<"$parts" >"$job_home/parts"
  grep -qx files/public "$job_home/parts" || refuse 'The backup has no files of the site. Nothing was changed.'
  echo "$bytes" >"$job_home/unpacked-bytes"
  require_restore_room
  tell_left_beside "$left"
}

# tell_left_beside NAMES: by tabs. Archives made by earlier versions may have them.
tell_left_beside() {
  local each names
  IFS=$'\t' read -ra names <<<"$1"
  for each in "${names[@]:0:100}"; do echo "Not restored, because it is in neither public nor private: $each"; done
  ((${#names[@]} <= 100)) || echo "Not restored, and not named: $((${#names[@]} - 100)) more."
}

# Checked once more after a backup of the present site, which takes room itself.
require_restore_room() {
  local extension=${wanted##*.} place=$home bytes free there dump
  # Of a site that is still to be created.
  [[ -d $place ]] || place=${home%/*}
  bytes=$(<"$job_home/unpacked-bytes") free=$(free_bytes "$place") there=$(data_home)
  # The dump, which is among the bytes, is loaded too.
  dump=$(expand_as "$extension" <"$backups_home/$wanted" | tar -tvf - database.sql | awk '{ print $3 }')
  [[ $(stat -c %d -- "$there") != "$(stat -c %d -- "$place")" ]] || bytes=$((bytes + dump * 2))
  ((bytes + 268435456 < free)) ||
    refuse "There is no room to unpack the backup: it needs $(needed_size $((bytes + 268435456))), $(free_size "$free") are free. Nothing was changed."
  ((dump * 2 + 268435456 < $(free_bytes "$there"))) || refuse "There is no room for the database in $there. Nothing was changed."
}

# What an earlier restore could not put back exists nowhere else.
require_no_remains() {
  local database
  database=$(has_swapped_mark)
  [[ ! -d $replacing && $database == 0 ]] ||
    refuse "An earlier restore could not put the former site back: see the folder $replacing and the database $(kept_database), if they are there. Move what is in them elsewhere first. Nothing was changed."
}

# unpack_backup: nobody but root gets into the folder, until what is in it is exchanged for the live site.
unpack_backup() {
  local extension=${wanted##*.} parts
  read_manifest "$backups_home/$wanted" "$extension"
  require_own_home "$name"
  let_apache_read
  rm -rf --one-file-system -- "$restoring"
  install -d -m 700 "$restoring" "$restoring/files"
  mapfile -t parts <"$job_home/parts"
  expand_as "$extension" <"$backups_home/$wanted" | tar -xf - -C "$restoring" --numeric-owner --same-permissions --delay-directory-restore -- "${parts[@]}"
  [[ -z $(find "$restoring/files" ! -type f ! -type d ! -type l -print -quit) && -z $(find "$restoring/files" -type f -perm /4000 -print -quit) ]] ||
    refuse 'The archive is refused: it has files of another kind. Nothing was changed.'
  rename_links
  own_unpacked
  read_then
  choose_folder
  sync -f "$restoring"
}

# Absolute links name the folder of a site that was created again as it was called before.
rename_links() {
  local from each to
  from=$(former_name)
  [[ -n $from && $from != "$name" ]] || return 0
  while IFS= read -r -d '' each && IFS= read -r -d '' to; do
    ln -sfnT -- "$home${to#"/home/$from"}" "$each"
  done < <(find "$restoring/files" -type l \( -lname "/home/$from" -o -lname "/home/$from/*" \) -printf '%p\0%l\0')
}

# Everything is the site's, whoever the archive says it belongs to, and nobody else may write it. The two folders are as a new site has them.
own_unpacked() {
  local files=$restoring/files
  chown -hR -- "$name:$name" "$files"/*
  find "$files"/* ! -type l -perm /7002 -exec chmod ug-s,o-w,-t -- {} +
  install -d -m 750 -o "$name" -g "$name" "$files/public"
  install -d -m 700 -o "$name" -g "$name" "$files/private"
  [[ -e $files/private/sessions || -L $files/private/sessions ]] || install -d -m 700 -o "$name" -g "$name" "$files/private/sessions"
}

# A site that was deleted and created again has another name, by which its database, its database user and its folder are called.
adapt_configuration() {
  local from_name list=$job_home/configuration public=$restoring/files/public
  read_manifest "$backups_home/$wanted" "${wanted##*.}"
  from_name=$(former_name)
  [[ -x /usr/bin/php$(site_php) ]] || refuse "The command-line program of PHP $(site_php) is missing. Install php$(site_php)-cli, then try again. Nothing was changed."
  put_staging_programs
  list_configuration "$public" "$from_name" >"$list"
  [[ -s $list ]] || return 0
  rewrite_apart "$public" "$list" "$from_name" >"$list.tar"
  take_rewritten "$public" "$list" "$list.tar"
  rm -f -- "$list" "$list.tar"
  sync -f "$restoring"
}

# list_configuration PUBLIC FORMER-NAME: files that rewrite.php may want to change, each ended by NUL.
list_configuration() {
  (
    cd "$1"
    find . -maxdepth 4 -type f -size -2049 -regextype posix-extended -iregex '.*/(\.env(\.[^/]*)?|[^/]*\.(php|inc|ini|ya?ml|json|xml|conf|cfg|neon))' -print0 |
      { xargs -0r grep -lZiF -e "$2" -e "${former_domain:-$domain}" -- || true; }
  )
}

# rewrite_apart PUBLIC LIST FORMER-NAME: the files of the list as rewrite.php changes them, as an archive. They are copied into a folder that only
# this unit has, whose user is nobody else's: a program of the site could get into a folder, or at a process, of its own user.
rewrite_apart() {
  local bytes
  bytes=$(cd "$1" && du -bc --files0-from="$2" | tail -n 1 | cut -f 1)
  tar -cf - --mode=u+rw -C "$1" --null --verbatim-files-from -T "$2" |
    systemd-run --quiet --pipe --wait --collect --unit="$transfer_unit" -p DynamicUser=yes -p PrivateNetwork=yes -p PrivateDevices=yes -p PrivateIPC=yes \
      -p ProtectProc=invisible -p RestrictNamespaces=yes -p CapabilityBoundingSet= -p TemporaryFileSystem=/home:ro \
      -p InaccessiblePaths='-/root -/srv -/var/www -/var/mail -/run/dbus -/run/mysqld -/run/gatehouse-sites' -p MemoryMax=1G -p TasksMax=8 -p RuntimeMaxSec=30min \
      /bin/sh -ec 'mkdir /tmp/files; tar -xf - -C /tmp/files --no-same-owner
        printf "%s\0" files "$3" "$4" "$5" "$6" /tmp/files "" | "$1" -d display_errors=stderr -d memory_limit=768M "$2" >/dev/null
        tar -cf - -C /tmp/files .' \
      sh "/usr/bin/php$(site_php)" "$staging_programs/rewrite.php" "${former_names:-$domain}" "$(restored_origin)" "$3" "$name" |
    head -c $((bytes * 4 + 16777216))
}

# SSL comes back later, and tables keep the addresses that they have.
restored_origin() { if [[ -z $former_names && $(then_of ssl) == yes ]]; then echo "https://$domain"; else origin; fi; }

# take_rewritten PUBLIC LIST ARCHIVE: only the contents of the files that were handed over, each into its own file.
take_rewritten() {
  local each new=$3.new
  while IFS= read -r -d '' each; do
    tar -xOf "$3" -- "$each" >"$new"
    [[ -s $new ]] || { echo "The file ${each#./} could not be rewritten."; return 1; }
    cmp -s -- "$new" "$1/$each" || cat -- "$new" >"$1/$each"
  done <"$2"
  rm -f -- "$new"
}

# The files have the password of then. Prints its hash; nothing if the backup does not say.
former_hash() {
  read_manifest "$backups_home/$wanted" "${wanted##*.}"
  value_of password | grep -xE '\*[0-9A-F]{40}' || true
}

set_former_password() {
  local hash now
  hash=$(<"$job_home/former-hash")
  now=$(database_hash "$name") || return 0
  [[ -n $hash && $hash != "$now" ]] || return 0
  # Whole or not there: an empty one would be put back as an empty password.
  printf '%s' "$now" >"$job_home/hash.new"
  sync "$job_home/hash.new"
  mv -T -- "$job_home/hash.new" "$job_home/hash"
  sync "$job_home"
  sql <<<"ALTER USER \`$name\`@localhost IDENTIFIED BY PASSWORD '$hash'"
}

load_backup() {
  local said
  said=$(load_scratch <"$restoring/database.sql" 2>&1) || { echo "$said"; explain_load "$said"; }
  [[ $(grep -c '^-- Dump completed' <(tail -n 3 "$restoring/database.sql")) == 1 ]] || { echo 'The dump of the database is not complete.'; return 1; }
  prepare_database
}

# check_loaded: nothing of the dump is missing in what is loaded, and how that differs from the site as it is.
check_loaded() {
  local scratch
  scratch=$(scratch_database)
  require_loaded
  count_rows "$name" < <(base_tables "$name") >"$job_home/rows.from"
  report_rows "$job_home/rows.from" "$job_home/rows.now" 'before' 'in the backup'
  report_routines "$name" "$scratch" 'before' 'in the backup'
  note_front
}

require_loaded() {
  local scratch
  scratch=$(scratch_database)
  count_rows "$scratch" < <(base_tables "$scratch") >"$job_home/rows.now"
  LC_ALL=C perl -ne 'print uc(unpack "H*", $1 =~ s/``/`/gr), "\n" if /^CREATE TABLE `((?:[^`]|``)*)` \(/' "$restoring/database.sql" | require_rows /dev/null "$job_home/rows.now"
}

# explain_load SAID: a dump may need what only a newer MariaDB has.
explain_load() {
  local made here
  grep -Ei 'unknown (collation|character set|storage engine|system variable|data type)|error in your SQL syntax' <<<"$1" >/dev/null || return 1
  read_manifest "$backups_home/$wanted" "${wanted##*.}"
  made=$(value_of mariadb | grep -oE '^[0-9]+\.[0-9]+' || true)
  here=$(sql <<<'SELECT VERSION()' | grep -oE '^[0-9]+\.[0-9]+')
  [[ -z $made || $(printf '%s\n' "$made" "$here" | sort -V | tail -n 1) == "$here" ]] ||
    refuse "The database was backed up with MariaDB $made, and MariaDB $here, which runs here, cannot load it. Nothing was changed."
  return 1
}

# The program notes each move before it makes it.
replace_files() {
  printf '{"protocol":1,"job":"swap-files","home":"%s","staged":"%s","journal":"%s","user":%d}' \
    "$home" "$restoring/files" "$job_home/journal" "$(id -u -- "$name")" | run_host_program
}

# take_steps_back: what is in the journal, the newest step first. It may be interrupted and begin again.
take_steps_back() {
  [[ -e $job_home/journal ]] || return 0
  printf '{"protocol":1,"job":"take-back","journal":"%s"}' "$job_home/journal" | run_host_program
}

replace_site() {
  local from to
  make_place_for_former
  load_headers
  prepare_folder
  former_hash >"$job_home/former-hash"
  from=${EPOCHREALTIME/[.,]/}
  begin_pause
  replace_files
  swap_database
  set_former_password
  serve_chosen_folder
  take_directives
  end_pause
  to=${EPOCHREALTIME/[.,]/}
  awk -v us="$((to - from))" 'BEGIN { printf "The site was paused for %.1f s.\n", us / 1000000 }'
}

# The site that an earlier restore replaced goes only now, when nothing but the exchange is left to do.
make_place_for_former() {
  rm -rf --one-file-system -- "$replaced"
  : >"$job_home/place"
  sync "$job_home"
  sql_seconds=600 sql <<END
DROP DATABASE IF EXISTS \`$(kept_database)\`;
CREATE DATABASE \`$(kept_database)\` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
END
}

# At one moment, whatever is killed when: what is done from here on only tidies up.
keep_replaced() {
  : >"$job_home/restored"
  sync "$job_home"
}

tidy_restore() {
  if [[ -d $replacing ]]; then
    touch -- "$replacing"
    cp -- "$job_home/former.sql" "$replacing/definitions.sql" 2>/dev/null || true
    mv -T -- "$replacing" "$replaced"
  fi
  drop_beside
}

# What was unpacked and loaded beside the site.
drop_beside() {
  [[ -d $restoring ]] || return 0
  drop_scratch
  sql <<<"DROP DATABASE IF EXISTS \`$(mark_database)\`"
  rm -rf --one-file-system -- "$restoring"
}

put_database_back() {
  [[ -e $job_home/place ]] || return 0
  swap_database_back
}
