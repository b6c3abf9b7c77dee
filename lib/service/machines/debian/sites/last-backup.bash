# The last backup of a site before it is deleted: one archive of its files, its database and its virtual host. What was removed by hand is
# said to be missing.
backups_home=/var/backups/gatehouse-sites

used_bytes() {
  local files=0 data=0
  [[ ! -d $home ]] || files=$(du -sB1 -- "$home" | cut -f 1)
  ! command -v mariadb >/dev/null || data=$(sql <<<"SELECT COALESCE(SUM(data_length + index_length), 0) FROM information_schema.tables WHERE table_schema = '$name'")
  echo $((files + data))
}

gigabytes() { awk -v bytes="$1" 'BEGIN { printf "%.1f GB", bytes / 1073741824 }'; }

# What a file may grow to: sizes that are not there, as of sparse files and compressed tables, must not fill the disk.
limit_files() {
  local free
  free=$(df -B1 --output=avail "$backups_home" | tail -n 1)
  ulimit -S -f $((free > 135266304 ? (free - 134217728) / 1024 : 1024))
}

# Tables and views that use what is no longer there would end the dump. Prints their names in hexadecimal. MariaDB opens a table, and notes what is
# wrong with it, only for columns such as its length.
unreadable_tables() {
  sql <<END | awk -F '\t' '$1 == "VIEW" ? $3 != "VIEW" : $2 == "NULL" { print $4 }'
SELECT table_type, engine, table_comment, HEX(table_name), data_length FROM information_schema.tables WHERE table_schema = '$name'
END
}

# dump_database FOLDER
dump_database() {
  local each table left=()
  for each in $(unreadable_tables); do
    # shellcheck disable=SC2059
    table=$(printf "$(sed 's/../\\x&/g' <<<"$each")")
    left+=("--ignore-table=$name.$table")
    sql <<<"SHOW CREATE TABLE \`$name\`.\`${table//\`/\`\`}\`" >>"$1/unreadable.txt" 2>&1 || true
  done
  timeout 1h mariadb-dump --no-defaults --protocol=socket --socket="$(mariadb_socket)" -u root --single-transaction --routines --triggers --events \
    --default-character-set=utf8mb4 "${left[@]}" -- "$name" >"$1/database.sql"
  ((${#left[@]} == 0)) || echo "Left out of the dump, because MariaDB cannot read them: ${#left[@]} tables or views. See unreadable.txt in the backup."
}

# Sets `backup`. The archive is complete under its name, or not there.
make_last_backup() {
  local used free folder each databases=0 sources=()
  umask 077
  install -d -m 700 "$backups_home"
  used=$(used_bytes)
  free=$(df -B1 --output=avail "$backups_home" | tail -n 1)
  # The dump is written beside the archive, and neither may fill the disk.
  ((used + used / 4 + 268435456 < free)) ||
    refuse "There is no room for a last backup: the site uses $(gigabytes "$used"), $(gigabytes "$free") are free. Nothing was deleted. Free some space, or delete the site without a last backup."
  folder=$backups_home/.making-$name
  rm -rf "$folder"
  install -d -m 700 "$folder/site"
  ! command -v mariadb >/dev/null || databases=$(sql <<<"SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = '$name'")
  if ((databases > 0)); then
    # What the site wrote after the dump would be in no backup. Without the lock, its programs could also come back and hold the dump up.
    # The note first: a job that ends before it has deleted anything unlocks the database again.
    : >"$job_home/locked"
    sync "$job_home"
    lock_database
    end_sessions
    limit_files
    dump_database "$folder/site"
  else
    echo "The database $name is missing, so the backup has none."
  fi
  for each in "$vhost" "$settings/apache"; do
    if [[ -e $each ]]; then cp -a -- "$each" "$folder/site/"; else echo "$each is missing, so it is not in the backup."; fi
  done
  if [[ -d $home ]]; then sources=(-C "$home" .); else echo "$home is missing, so the backup has no files."; fi
  limit_files
  timeout 3h tar --sparse --one-file-system --warning=no-file-changed -czf "$folder/archive" --transform='s,^\./database.sql$,database.sql,' "${sources[@]}" -C "$folder/site" . || (($? == 1))
  gzip -t "$folder/archive"
  backup=$backups_home/$domain-$(date -u +%Y%m%d-%H%M%S).tar.gz
  sync "$folder/archive"
  # First the path: a job that ends before it has deleted anything removes the backup again.
  echo "$backup" >"$job_home/backup"
  mv -T "$folder/archive" "$backup"
  rm -rf "$folder"
  echo "The last backup is $backup."
}

remove_last_backup() {
  [[ ! -e $job_home/backup ]] || rm -f -- "$(<"$job_home/backup")" "$job_home/backup"
}
