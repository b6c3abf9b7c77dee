# Copies files and tables of one site to another: first beside what is there, then both are exchanged. from_name, to_name: the two sites;
# chosen: the job's file of tables, in hexadecimal, one a line.
source sites/app-login.bash
source sites/check-data.bash
source sites/confine.bash
source sites/files.bash
source sites/logins.bash
source sites/make-backup.bash
source sites/refuse.bash
source sites/run.bash
source sites/take-steps-back.bash
source sites/site.bash
source sites/staging/content.bash
source sites/staging/copy.bash
source sites/staging/copying.bash
source sites/staging/part.bash
source sites/staging/tables.bash
source steps/apt.bash

is_copying() { [[ $files == yes || $database == yes ]]; }

new_database() { echo "${to_name}_new"; }
old_database() { echo "${to_name}_old"; }

check_tables() {
  local unknown lacking view
  base_tables "$from_name" >"$job_home/tables.all"
  if [[ -z $tables ]]; then cp "$job_home/tables.all" "$chosen"; else tr ' ' '\n' <<<"$tables" | awk 'NF && !seen[$0]++' >"$chosen"; fi
  unknown=$(grep -vxFf "$job_home/tables.all" "$chosen" | head -n 1) || true
  [[ -z $unknown ]] || refuse "There is no table $(table_name "$unknown") in the database $from_name. Nothing was changed."
  lacking=$({ partners "$from_name"; partners "$to_name"; } | awk -F '\t' 'NR == FNR { is[$1]; next }
    $1 in is { count = split($2, each, " "); for (at = 1; at <= count; at++) if (!(each[at] in is)) print $1 "\t" each[at] }' "$chosen" - | sort -u)
  [[ -z $lacking ]] || refuse_halves "$lacking"
  # A view takes the place of nothing but a view.
  list_objects "$from_name" | readable_views >"$job_home/views.readable"
  while IFS= read -r view; do echo "The view $(table_name "$view") cannot be read and is not copied."; done < <(chosen_views "$from_name" | grep -vxFf <(cat "$job_home/views.readable"; echo -))
  chosen_views "$from_name" | grep -xFf <(cat "$job_home/views.readable"; echo -) >"$job_home/views" || true
  view=$(base_tables "$to_name" | grep -xFf "$job_home/views" | head -n 1) || true
  [[ -z $view ]] || refuse "$(table_name "$view") is a view in $from_name and a table in $to_name. Rename one of them; nothing was changed."
}

# refuse_halves PAIRS
refuse_halves() {
  local first each names=''
  first=$(sed -n '1s/\t.*//p' <<<"$1")
  for each in $(awk -F '\t' -v first="$first" '$1 == first { print $2 }' <<<"$1" | head -n 10); do names+="${names:+, }$(table_name "$each")"; done
  refuse "$(table_name "$first") cannot be copied without $names: foreign keys, triggers or views join them. Choose all of them; nothing was changed."
}

# chosen_views DATABASE: the views of the chosen tables, whose other tables are chosen with them.
chosen_views() { groups "$1" | awk 'NR == FNR { is[$1]; next } { for (at = 1; at <= NF; at++) if ($at in is) { print; next } }' "$chosen" - | tr ' ' '\n' | grep -xFf <(views "$1"; echo -) || true; }

# Both sites and what lies beside the target until the exchange.
check_transfer_room() {
  local needed=268435456 free each
  # What an earlier exchange could not put back exists nowhere else.
  [[ -z $(base_tables "$(old_database)") ]] ||
    refuse "The database $(old_database) has tables of an earlier exchange that could not be taken back. Move them elsewhere or delete them first; nothing was changed."
  [[ $files == no ]] || needed=$((needed + $(du -sB1 -- "/home/$from_name/public" | cut -f 1)))
  # The tables lie there as they are, while they are rewritten, and in the logs of the database server.
  [[ $database == no ]] || needed=$((needed + 2 * $(database_bytes "$from_name")))
  for each in /home /var/lib/mysql; do
    free=$(df -B1 --output=avail "$each" | tail -n 1)
    ((needed < free)) || refuse "There is no room for a second copy in $each: $(needed_size "$needed") are needed, $(free_size "$free") are free. Free some space; nothing was changed."
  done
}

stage_files() {
  note_staged
  name=$to_name let_apache_read
  transfer_part files
}

# publish_files_note: what the next push compares with. live_changes.py reads it.
publish_files_note() { [[ ! -e $job_home/files.next ]] || write_file "$sites_home/$copy_name/files.gz" 600 <"$job_home/files.next"; }

note_staged() { : >"$job_home/staged" && sync "$job_home"; }

# drop_staged: what lies beside the target, before or after the exchange.
drop_staged() {
  [[ -e $job_home/staged ]] || return 0
  transfer_part drop
  sweep_askers
}

# The tables as they are in one moment, under their own names in a database beside that of the target.
stage_tables() {
  [[ -s $chosen ]] || return 0
  note_staged
  transfer_part load
}

# check_copied_tables: before the exchange, whether anything is missing, and what differs.
check_copied_tables() { [[ ! -s $chosen ]] || transfer_part compare; }

# note_tables: of the staged tables, so that live can be compared with them later.
note_tables() {
  local each sql_seconds=3600 measured login
  [[ -s $chosen ]] || return 0
  login=$(create_reader "$(reader "$(new_database)")" "$(new_database)")
  : >"$job_home/notes"
  while IFS= read -r each; do
    measured=$(measure_table "$login" "$(new_database)" "$each")
    printf '%s\t%s\t%s\n' "$each" "$measured" "$(<"$job_home/since")" >>"$job_home/notes"
  done <"$chosen"
  drop_logins "$(reader "$(new_database)")"
}

# publish_notes: those of tables that were not copied now stay.
publish_notes() {
  local file=$sites_home/$copy_name/tables
  { awk -F '\t' 'NR == FNR { is[$1]; next } !($1 in is)' "$chosen" "$file" 2>/dev/null || true; cat "$job_home/notes"; } >"$job_home/notes.all"
  write_file "$file" 600 <"$job_home/notes.all"
}

# rewriting MODE VALUE...: runs rewrite.php as the target's user, confined as its PHP is. What it has to know comes by standard input.
rewriting() {
  local properties=() each
  while IFS= read -r each; do properties+=(-p "$each"); done < <(confinement "$to_name")
  printf '%s\0' "$@" | systemd-run --quiet --pipe --wait --collect --unit="$transfer_unit" -p User="$to_name" "${properties[@]}" -p MemoryMax=1G -p TasksMax=8 -p RuntimeMaxSec=3h \
    "/usr/bin/php$(record_line php "$to_name")" -d display_errors=stderr -d memory_limit=768M "$staging_programs/rewrite.php" >"$job_home/rewritten"
}

# Addresses of the one site become those of the other. to_origin: scheme and name, such as https://staging.example.org.
rewrite_tables() {
  local password user
  [[ -s $chosen ]] || return 0
  user=$(new_database)
  password=$(random_password)
  sql <<<"CREATE OR REPLACE USER \`$user\`@localhost IDENTIFIED BY '$password'; GRANT ALL PRIVILEGES ON \`$to_name\\_new\`.* TO \`$user\`@localhost"
  rewriting tables "$from_names" "$to_origin" "$from_name" "$to_name" "$(mariadb_socket)" "$user" "$password"
  sql <<<"DROP USER IF EXISTS \`$user\`@localhost"
  report_rewritten "${from_names%% *}"
}

# report_rewritten DOMAIN: what became of its addresses.
report_rewritten() {
  sed -n 's/^rows\t\(.*\)/Addresses are changed in \1 rows./p; s/^left\t\([1-9].*\)/\1 values could not take the other address and stay as they are./p' "$job_home/rewritten"
  report_names "$1" <"$job_home/rewritten"
}

# When the copy gets files for the first time, they name the live site's database and folder. The copy's password for its database is its own.
configure_copy() {
  local password told
  password=$(random_password)
  rewriting files "$from_names" "$to_origin" "$from_name" "$to_name" "$(staged_folder)" "$password"
  sql <<<"ALTER USER \`$to_name\`@localhost IDENTIFIED BY '$password'"
  # An unknown app: where its password stands is not known, so the copy's database has the one that is there.
  if ! grep -q '^password' "$job_home/rewritten" && grep -q '^own' "$job_home/rewritten"; then share_password; fi
  told=$(login_of_copy)
  # PHP takes another of several passwords than the first.
  if [[ $told == out* ]]; then share_password && told=$(login_of_copy); fi
  [[ $told != out* || $(login_of_live) != in* ]] || refuse_login "$copy_domain" "$told"
  sed -n 's/^own\t//p' "$job_home/rewritten" >"$job_home/own-files"
}

share_password() {
  local hash
  hash=$(database_hash "$from_name")
  sql <<<"ALTER USER \`$to_name\`@localhost IDENTIFIED BY PASSWORD '$hash'"
}

login_of_copy() { try_login "$to_name" "/usr/bin/php$(record_line php "$to_name")" "$copy_domain" "$(staged_folder)${served_folder:+/$served_folder}"; }
login_of_live() { try_login "$from_name" "/usr/bin/php$(record_line php "$from_name")" "$domain" "/home/$from_name/public${served_folder:+/$served_folder}"; }

# Otherwise programs that PHP has compiled would run on.
reload_target_php() { systemctl reload "gatehouse-php$(record_line php "$to_name")@$to_name.service" || true; }

# What the take-back reads is on the disk before. Among the notes is a link that leads nowhere: run.bash.
swap_all() {
  find "$job_home" -maxdepth 1 -type f -exec sync -- {} +
  sync "$job_home"
  transfer_part replace
  reload_target_php
}

need_transfer_programs() {
  if ! command -v rsync >/dev/null; then take 6 'Program for copying' install_rsync; fi
}

install_rsync() {
  update_lists
  apt_get install rsync
}

# What cleaning up has to know.
note_copy() {
  {
    printf '%s\0' "$copy_id" "$copy_name" "$copy_domain" "$from_name" "$to_name" "$files" "$database" "$replace" >"$job_home/copy.new" &&
      sync "$job_home/copy.new" && mv -T "$job_home/copy.new" "$job_home/copy"
  } || give_up "$disk_is_full"
}

# False if nothing was begun.
read_copy() {
  local noted
  [[ -e $job_home/copy ]] || return 1
  mapfile -d '' -t noted <"$job_home/copy"
  copy_id=${noted[0]} copy_name=${noted[1]} copy_domain=${noted[2]} from_name=${noted[3]} to_name=${noted[4]} files=${noted[5]} database=${noted[6]} replace=${noted[7]-no}
}

# From here on there is nothing to take back.
settle_transfer() {
  date -u +%FT%TZ >"$job_home/settled"
  sync "$job_home/settled" "$job_home"
}

undo_transfer() {
  take_back take_transfer_back "See the folders public and .staging/public of the site. Its former tables may be in the database $(old_database)."
  # What could not be taken back is still there then.
  [[ -n $left ]] || take_back drop_staged
}

# May be repeated. The note is of the exchange of files that is taken back.
take_transfer_back() {
  take_steps_back
  [[ -e $job_home/returning ]] || return 0
  reload_target_php
  # Visitors have written to what is no longer served.
  [[ $kind == pull ]] || transfer_part late
}
