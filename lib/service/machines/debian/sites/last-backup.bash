# The last backup of a site before it is deleted: one archive of its files, its database and its virtual host.
backups_home=/var/backups/gatehouse-sites

used_bytes() {
  local files data
  files=$(du -sB1 -- "$home" | cut -f 1)
  data=$(sql <<<"SELECT COALESCE(SUM(data_length + index_length), 0) FROM information_schema.tables WHERE table_schema = '$name'")
  echo $((files + data))
}

gigabytes() { awk -v bytes="$1" 'BEGIN { printf "%.1f GB", bytes / 1073741824 }'; }

# Sets `backup`. The archive is complete under its name, or not there.
make_last_backup() {
  local used free folder
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
  end_sessions
  timeout 1h mariadb-dump --no-defaults --protocol=socket --socket="$(mariadb_socket)" -u root --single-transaction --routines --triggers --events \
    --default-character-set=utf8mb4 -- "$name" >"$folder/site/database.sql"
  cp -a -- "$vhost" "$settings/apache" "$folder/site/"
  # Sizes that are not there, as of sparse files, must not fill the disk.
  ulimit -f $(((free - 134217728) / 1024))
  timeout 3h tar --sparse -C "$home" --one-file-system --warning=no-file-changed -czf "$folder/archive" --transform='s,^\./database.sql$,database.sql,' . -C "$folder/site" . || (($? == 1))
  gzip -t "$folder/archive"
  backup=$backups_home/$domain-$(date -u +%Y%m%d-%H%M%S).tar.gz
  sync "$folder/archive"
  mv -T "$folder/archive" "$backup"
  rm -rf "$folder"
  echo "$backup" >"$job_home/backup"
  echo "The last backup is $backup."
}
