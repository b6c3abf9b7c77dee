# One backup of the live site, which the host program makes and verifies; and what restores, pulls and pushes ask about room and tables.
source host/run-program.bash
source sites/backup-files.bash
source sites/logins.bash
source sites/scratch.bash
source sites/site.bash

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

# Reads that list and prints names in hexadecimal. What uses what is no longer there would end a dump.
readable_views() { awk -F '\t' '$3 == "VIEW" && $5 == "VIEW" { print $1 }'; }

has_database() {
  command -v mariadb >/dev/null && [[ $(sql <<<"SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = '$name'") == 1 ]]
}

# make_site_backup REASON: REASON is manual, nightly, restore, push, delete or download. It fails if there is no room, or if the archive or its dump cannot be
# verified; what it leaves, sweep_backup removes. Before a deletion, what cannot be verified is kept all the same: there will be nothing else. A job
# finds its name in the file `backup`.
make_site_backup() {
  run_host_program <<END
{"protocol": 1, "job": "back-up-site", "id": "$site_id", "name": "$name", "domain": "$domain", "reason": "$1", "folder": "${job_home-}"}
END
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
