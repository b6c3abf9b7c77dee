# One backup of the live site: an archive of its files, its database, its virtual host and its certificate, with a manifest; hashed, and
# verified by loading its dump. What was removed by hand is said to be missing.
source facts/read-crontab.bash
source host/program.bash
source sites/backup-files.bash
source sites/check-archive.bash
source sites/database.bash
source sites/logins.bash
source sites/refuse.bash
source sites/routines.bash
source sites/scratch.bash
source sites/site.bash

used_bytes() {
  local files data
  files=$(file_bytes)
  data=$(data_bytes)
  echo $((files + data))
}

file_bytes() {
  local bytes=0
  [[ ! -d $home ]] || bytes=$(du -sB1 --exclude="$home/.restoring" --exclude="$home/.staging" --exclude="$home/.replac*" -- "$home" | cut -f 1)
  echo "$bytes"
}

data_bytes() { if command -v mariadb >/dev/null; then database_bytes "$name"; else echo 0; fi; }

free_bytes() { df -B1 --output=avail -- "$1" | tail -n 1; }

# Sizes for sentences, in MB below 10 GB. What is needed is rounded up and what is free down, so that the first is never shown as the smaller.
needed_size() { size_in_words "$1" 1; }
free_size() { size_in_words "$1" 0; }
size_in_words() {
  awk -v bytes="$1" -v up="$2" 'BEGIN {
    gb = bytes >= 10737418240
    size = bytes / (gb ? 107374182.4 : 1048576)
    whole = int(size) + (up && size > int(size))
    if (gb) printf "%.1f GB", whole / 10; else printf "%d MB", whole
  }'
}

# What a file may grow to: sizes that are not there, as of sparse files and compressed tables, must not fill the disk.
limit_files() {
  local free
  free=$(free_bytes "$backups_home")
  ulimit -S -f $((free > 135266304 ? (free - 134217728) / 1024 : 1024))
}

# list_objects DATABASE: of each table and view its name in hexadecimal, its length, kind and engine, and what MariaDB says of it. MariaDB opens
# them, and notes what is wrong with them, only for columns such as the length. That the definer of a view is gone shows only when it is read.
list_objects() {
  local objects named each
  objects=$(sql_seconds=600 sql_about "$1" <<<"SELECT HEX(table_name), data_length, table_type, engine, table_comment FROM information_schema.tables WHERE table_schema = '$1'")
  awk -F '\t' -v OFS='\t' 'FILENAME != "-" { reads[$1]; next } $3 == "VIEW" && $5 == "VIEW" && !($1 in reads) { $5 = "It cannot be read." } { print }' <(
    for each in $(readable_views <<<"$objects"); do
      decode_name "$each"
      echo "SELECT '$each' FROM (SELECT COUNT(*) FROM (SELECT * FROM \`${named//\`/\`\`}\` LIMIT 0) v) w;"
    done | sql_seconds=600 sql_about "$1" --force "$1" 2>/dev/null
  ) - <<<"$objects"
}

# Both read that list and print names in hexadecimal. What uses what is no longer there would end a dump.
readable_views() { awk -F '\t' '$3 == "VIEW" && $5 == "VIEW" { print $1 }'; }
unreadable_objects() { awk -F '\t' '$3 == "VIEW" ? $5 != "VIEW" : $4 == "NULL" { print $1 }'; }

# A table that cannot be opened may be damaged, and a backup without it would be taken for whole. Before a deletion there will be nothing else.
# require_readable_tables FOLDER REASON <LIST
require_readable_tables() {
  local found named
  found=$(awk -F '\t' '$3 != "VIEW" && $4 == "NULL" { print $1 "\t" $5 }' | sed -n 1p)
  [[ -n $found ]] || return 0
  if [[ $2 == delete ]]; then
    : >"${1%/site}/incomplete"
    return
  fi
  decode_name "${found%%$'\t'*}"
  echo "The table $named cannot be read: ${found#*$'\t'}. Repair or delete it, then try again."
  return 1
}

# mariadb-dump would wait for locks of the site's programs for hours, while other work on sites waits for it.
require_no_locks() {
  local said sql_seconds=60
  said=$({
    # For each table that is locked.
    echo 'SET SESSION lock_wait_timeout = 2;'
    sql --raw <<END
SELECT CONCAT('SELECT 1 FROM \`$name\`.\`', REPLACE(table_name, '\`', '\`\`'), '\` LIMIT 0;')
FROM information_schema.tables WHERE table_schema = '$name' AND table_type <> 'VIEW'
END
  } | sql_about "$name" --force 2>&1) || true
  [[ $said != *'ERROR 1205 '* ]] || { echo 'A program of the site holds locks on its tables (LOCK TABLES). End it, then try again.'; return 1; }
}

# dump_database FOLDER REASON
dump_database() {
  local each named objects history ignored=() said=''
  require_no_locks
  objects=$(list_objects "$name")
  require_readable_tables "$1" "$2" <<<"$objects"
  for each in $(unreadable_objects <<<"$objects"); do
    decode_name "$each"
    ignored+=("--ignore-table=$name.$named")
    said+="${said:+, }$named"
    sql_about "$name" <<<"SHOW CREATE TABLE \`$name\`.\`${named//\`/\`\`}\`" >>"$1/unreadable.txt" 2>&1 || true
  done
  choose_history "$name"
  # Routines come first, because views may use them.
  {
    write_routines "$name" sql
    dump_tables "$name" --triggers --hex-blob "${history[@]}" "${ignored[@]}" -- "$name"
    dump_tables "$name" --no-data --no-create-info --skip-triggers --events "${ignored[@]}" -- "$name"
  } >"$1/database.sql"
  ((${#ignored[@]} == 0)) || echo "Left out of the dump, because MariaDB cannot read them: $said. See unreadable.txt in the backup."
}

has_database() {
  command -v mariadb >/dev/null && [[ $(sql <<<"SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = '$name'") == 1 ]]
}

# destination: where the archive is kept. Only this server, so far.
content_backup_manifest() {
  printf '%s\n' "format $backup_format" "destination local" "site $domain" "id $(sed -n 's/^id //p' "$settings/site" 2>/dev/null)" "name $name" \
    "reason $1" "made $(date -u +%FT%TZ)" "database $2" "mariadb $(sql <<<'SELECT VERSION()' 2>/dev/null || true)" "php $(site_php 2>/dev/null || true)" \
    "user $(id -u -- "$name" 2>/dev/null || echo 0)" "group $(id -g -- "$name" 2>/dev/null || echo 0)" "web $(getent group www-data | cut -d: -f3)" \
    "email $(if [[ -e $settings/mail/on ]]; then echo on; else echo off; fi)" "bytes $3"
  [[ $1 == download || -z $site_owner ]] || echo "owner $site_owner"
  printf 'hourly-mail %s\naliases %s\n' "$(hourly_mail)" "$(sed -n 's/^  ServerAlias //p' "$vhost" 2>/dev/null | sed -n 1p)"
  [[ $1 == download ]] || echo "password $(database_hash "$name" 2>/dev/null || true)"
}

# require_archive_room NOUN ADVICE [MORE-BYTES]: the dump is written beside the archive.
require_archive_room() {
  local used free needed
  used=$(used_bytes)
  free=$(free_bytes "$backups_home")
  needed=$((used * 5 / 4 + 268435456 + ${3:-0}))
  ((needed < free)) || refuse "There is no room for $1: it needs $(needed_size "$needed"), $(free_size "$free") are free. $2"
}

# require_backup_room ADVICE: the dump is then loaded.
require_backup_room() {
  local data there more=0
  data=$(data_bytes)
  if ((data > 0)); then
    there=$(data_home)
    if [[ $(stat -c %d -- "$there") == "$(stat -c %d -- "$backups_home")" ]]; then
      more=$data
    else
      ((data + 268435456 < $(free_bytes "$there"))) || refuse "There is no room to verify a backup: that needs $(needed_size $((data + 268435456))), $(free_size "$(free_bytes "$there")") are free in $there. $1"
    fi
  fi
  require_archive_room 'a backup' "$1" "$more"
}

# gather_site FOLDER REASON: what the archive has beside the files.
gather_site() {
  local each database=no kept=("$settings/php-fpm.conf")
  install -d -m 700 "$1"
  if has_database; then
    database=yes
    limit_files
    dump_database "$1" "$2"
  else
    echo "The database $name is missing, so the backup has none."
  fi
  if [[ -e $vhost ]]; then cp -- "$vhost" "$1/virtual-host"; else echo "$vhost is missing, so it is not in the backup."; fi
  if [[ -e $settings/apache ]]; then
    install -d "$1/apache"
    find "$settings/apache" -maxdepth 1 -type f -name '*.conf' ! -name "$pause_name" -exec cp -t "$1/apache" -- {} +
  fi
  # Keys and hashes of passwords leave the server with no download.
  [[ $2 == download ]] || kept+=("$settings/certificate/served.pem" "$settings/mail/addresses" "$settings/mail/dkim.pem")
  for each in "${kept[@]}"; do
    if [[ -e $each ]]; then cp -- "$each" "$1/"; fi
  done
  if [[ $2 != download && -e $(keys_file) ]]; then cp -- "$(keys_file)" "$1/sftp-keys"; fi
  print_crontab "$name" >"$1/crontab" || rm -f -- "$1/crontab"
  content_backup_manifest "$2" "$database" "$(used_bytes)" >"$1/manifest"
}

# write_site_archive FOLDER EXTENSION: `archive`, from FOLDER/site and the files of the site, which the host program reads. Whoever owns them, they are the
# site's in the archive.
write_site_archive() {
  limit_files
  run_host_program <<END
{"protocol": 1, "job": "write-archive", "home": "$home", "parts": "$1/site", "archive": "$1/archive", "compression": "$2",
"user": $(id -u -- "$name" 2>/dev/null || echo 0), "group": $(id -g -- "$name" 2>/dev/null || echo 0)}
END
}

# prove_site_archive FOLDER EXTENSION: unpacks it to its end, which compares its checksums, checks it as a restore does, and loads its dump. Writes the
# hash of what it has read.
prove_site_archive() {
  local found dump archive_manifest
  archive_manifest=$(<"$1/site/manifest")
  found=$(tee >(sha256sum | cut -d' ' -f1 >"$1/hash") <"$1/archive" | check_archive "$2") || {
    if [[ $found == The* ]]; then echo "$found"; else echo 'The archive cannot be read back.'; fi
    return 1
  }
  # The program that hashes may end a moment later.
  for _ in {1..50}; do [[ ! -s $1/hash ]] || break; sleep 0.1; done
  [[ -s $1/hash ]] || { echo 'The archive could not be hashed.'; return 1; }
  grep -x 'database yes' "$1/site/manifest" >/dev/null || return 0
  dump=$(stat -c %s "$1/site/database.sql")
  rm -f -- "$1/site/database.sql"
  ((dump + 268435456 < $(free_bytes "$(data_home)"))) || { echo 'There is no room to load its dump.'; return 1; }
  # It comes before the files, which need not be unpacked once more.
  tar -xOf <(expand_as "$2" <"$1/archive" 2>/dev/null) --occurrence=1 database.sql | load_scratch || { echo 'Its dump cannot be loaded.'; return 1; }
  drop_scratch
}

# The lock keeps the site from writing what would be in no backup, and from holding the dump up. The note first: a job that ends before it has
# deleted anything unlocks the database again.
stop_writing() {
  has_database || return 0
  : >"$job_home/locked"
  sync "$job_home"
  lock_database
  end_sessions
}

# make_site_backup REASON: REASON is manual, nightly, restore, push or delete. Makes and verifies a backup of the live site; its last line is the name
# of the backup, which it also writes to the file `backup` of a job. It fails, leaving nothing, if there is no room, or if the archive or its dump
# cannot be verified. Before a deletion, what cannot be verified is kept all the same: there will be nothing else.
make_site_backup() {
  local reason=$1 extension=gz backup folder proven=yes unchanged='Nothing was changed.'
  umask 077
  install -d -m 700 "$backups_home"
  [[ $reason != delete ]] || unchanged='Nothing was deleted. Free some space, or delete the site without a last backup.'
  # Others hold the lock of what changes sites, or have done it before.
  if [[ $reason == manual ]]; then unless_changing expire_backups; elif [[ $reason != nightly ]]; then expire_backups; fi
  require_host_program
  require_backup_room "$unchanged"
  folder=$(backup_work)
  rm -rf -- "$folder"
  install -d -m 700 "$folder"
  [[ $reason != delete ]] || stop_writing
  gather_site "$folder/site" "$reason"
  ! command -v zstd >/dev/null || extension=zst
  write_site_archive "$folder" "$extension"
  # In a shell of its own, so that it stops at the first failure.
  if [[ $reason == delete ]]; then
    verify_site_archive "$folder" "$extension"
    [[ ! -e $folder/unproven && ! -e $folder/incomplete ]] || proven=''
  else
    prove_site_archive "$folder" "$extension"
  fi
  backup=$domain-$(date -u +%Y%m%d-%H%M%S)-$reason.tar.$extension
  sync "$folder/archive"
  if [[ -n $proven ]]; then
    printf '%s  %s\n' "$(<"$folder/hash")" "$backup" >"$folder/proven"
    # The same time: an archive that is changed later no longer counts as verified.
    touch -r "$folder/archive" "$folder/proven"
    sync "$folder/proven"
  fi
  # First the name: a job that ends before it has changed anything removes the backup again.
  [[ -z ${job_home-} ]] || note_backup "$backup"
  if [[ -n $proven ]]; then mv -T -- "$folder/proven" "$backups_home/.$backup.proven"; fi
  mv -T -- "$folder/archive" "$backups_home/$backup"
  sync "$backups_home"
  rm -rf -- "$folder"
  [[ $reason != nightly ]] || rotate_backups
  echo "$backup"
}

# Whole or not there: what an empty one names is the folder.
note_backup() {
  echo "$1" >"$job_home/backup.new"
  sync "$job_home/backup.new"
  mv -T -- "$job_home/backup.new" "$job_home/backup"
  sync "$job_home"
}

# verify_site_archive FOLDER EXTENSION: the same, but what fails only leaves the note `unproven`.
verify_site_archive() {
  local options=$-
  : >"$1/unproven"
  set +e
  (
    set -Eeuo pipefail
    prove_site_archive "$1" "$2"
    rm -f -- "$1/unproven"
  )
  [[ $options != *e* ]] || set -e
  [[ ! -e $1/unproven ]] || echo 'The backup could not be verified. It is kept all the same.'
}

backup_work() { echo "$backups_home/.making-$name"; }

# What a backup that was killed has left.
sweep_backup() {
  [[ -d $(backup_work) ]] || return 0
  drop_scratch
  rm -rf -- "$(backup_work)"
}

# remove_made_backup: the one that this job has made.
remove_made_backup() {
  [[ ! -e $job_home/backup ]] || { remove_backup "$(<"$job_home/backup")" && rm -f -- "$job_home/backup"; }
}
