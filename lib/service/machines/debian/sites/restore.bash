# Restoring a backup: it is unpacked and loaded beside the live site and checked there; then both change places, during a pause. The former site is
# kept for a day, in the folder .replaced of the site and a separate database. What becomes of names, SSL and settings: as-before.bash.
source changes/room.bash
source host/run-program.bash
source sites/as-before.bash
source sites/backup-files.bash
source sites/check-data.bash
source sites/check.bash
source sites/files.bash
source sites/jobs/pull.bash
source sites/make-backup.bash
source sites/manifest.bash
source sites/pause.bash
source sites/refuse.bash
source sites/site.bash
source sites/staging/content.bash
source sites/staging/copy.bash
source sites/staging/copying.bash
source sites/swap-database.bash
source sites/take-steps-back.bash

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
  restore_part check
}

# restore_part PART: of the host program. What it reads of the backup is never written through a path that programs of the site can change.
restore_part() {
  run_host_program <<END
{"protocol": 1, "job": "restore-site", "part": "$1", "id": "$site_id", "name": "$name", "domain": "$domain", "backup": "${wanted-}", "folder": "$job_home"}
END
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
  require_own_home "$name"
  let_apache_read
  restore_part unpack
  read_manifest "$backups_home/$wanted" "${wanted##*.}"
  read_then
  choose_folder
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

# check_loaded: nothing of the dump is missing in what is loaded, and how that differs from the site as it is.
check_loaded() {
  restore_part compare
  note_front
}

replace_site() {
  local from to
  restore_part prepare
  load_headers
  prepare_folder
  from=${EPOCHREALTIME/[.,]/}
  begin_pause
  restore_part replace
  serve_chosen_folder
  take_directives
  end_pause
  to=${EPOCHREALTIME/[.,]/}
  awk -v us="$((to - from))" 'BEGIN { printf "The site was paused for %.1f s.\n", us / 1000000 }'
}

# At one moment, whatever is killed when: what is done from here on only tidies up.
keep_replaced() {
  : >"$job_home/restored"
  sync "$job_home"
}

tidy_restore() { restore_part tidy; }

# What was unpacked and loaded beside the site.
drop_beside() { restore_part drop; }
