# Exchanges the site's database for the scratch database. Tables change places by one RENAME; what MariaDB cannot rename (views, triggers, routines
# and events) is written again, with the site's user as definer. The former tables stay in a database of their own.
source sites/database.bash
source sites/logins.bash
source sites/make-backup.bash
source sites/routines.bash
source sites/scratch.bash
source sites/site.bash

kept_database() { echo "gatehouse-kept-$name"; }
held_user() { echo "gatehouse-held-$name"; }
# Its one table is renamed with the tables, so its name tells whether they have changed places. Programs of the site do not get there.
mark_database() { echo "gatehouse-restore-$name"; }

has_user() { [[ $(sql <<<"SELECT COUNT(*) FROM mysql.user WHERE user = '$1' AND host = 'localhost'") == 1 ]]; }
# 1 if they have changed places, else 0. Fails if the database does not say.
has_swapped_mark() { sql <<<"SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = '$(mark_database)' AND table_name = 'after'"; }

# Nobody can log in as the site's user, and what is written as the user belongs to the site. Sets `login`.
hold_user() {
  has_user "$(held_user)" || sql <<<"RENAME USER \`$name\`@localhost TO \`$(held_user)\`@localhost"
  end_sessions 2>/dev/null
  sql <<<"DROP USER IF EXISTS \`$name\`@localhost"
  login=$(create_loader "$name" "$name")
}

release_user() {
  rm -f -- "$load_home/$name"
  has_user "$(held_user)" || return 0
  sql <<END
DROP USER IF EXISTS \`$name\`@localhost;
RENAME USER \`$(held_user)\`@localhost TO \`$name\`@localhost;
END
}

# dump_definitions DATABASE: what RENAME leaves behind. Routines come first, because views may use them.
dump_definitions() {
  local each named objects views=() ignored=()
  # Its failure would go unnoticed in the head of a loop, and the views would be lost.
  objects=$(list_objects "$1")
  for each in $(unreadable_objects <<<"$objects"); do
    decode_name "$each"
    ignored+=("--ignore-table=$1.$named")
  done
  for each in $(readable_views <<<"$objects"); do
    decode_name "$each"
    views+=("$named")
  done
  write_routines "$1" sql
  dump_tables "$1" --no-data --no-create-info --triggers --events "${ignored[@]}" -- "$1"
  ((${#views[@]} == 0)) || dump_tables "$1" --no-data --skip-triggers -- "$1" "${views[@]}"
}

# drop_definitions DATABASE
drop_definitions() {
  sql <<STATEMENTS
DELIMITER //
BEGIN NOT ATOMIC
  FOR found IN (SELECT trigger_name AS n FROM information_schema.triggers WHERE trigger_schema = '$1') DO
    EXECUTE IMMEDIATE CONCAT('DROP TRIGGER \`$1\`.\`', REPLACE(found.n, '\`', '\`\`'), '\`');
  END FOR;
  FOR found IN (SELECT table_name AS n FROM information_schema.tables WHERE table_schema = '$1' AND table_type = 'VIEW') DO
    EXECUTE IMMEDIATE CONCAT('DROP VIEW \`$1\`.\`', REPLACE(found.n, '\`', '\`\`'), '\`');
  END FOR;
  FOR found IN (SELECT event_name AS n FROM information_schema.events WHERE event_schema = '$1') DO
    EXECUTE IMMEDIATE CONCAT('DROP EVENT \`$1\`.\`', REPLACE(found.n, '\`', '\`\`'), '\`');
  END FOR;
  FOR found IN (SELECT type AS t, name AS n FROM mysql.proc WHERE db = '$1' AND type IN ('FUNCTION', 'PROCEDURE', 'PACKAGE')) DO
    EXECUTE IMMEDIATE CONCAT('DROP ', found.t, ' \`$1\`.\`', REPLACE(found.n, '\`', '\`\`'), '\`');
  END FOR;
END //
STATEMENTS
}

# move_tables FROM TO THEN-FROM MARK NEW-MARK: the tables of the second go to the third, then those of the first to the second, at one moment.
move_tables() {
  local from=$1 to=$2 then_from=$3 mark=$4 new_mark=$5
  sql_seconds=600 sql <<END
SET SESSION group_concat_max_len = 16777216, foreign_key_checks = 0;
SELECT GROUP_CONCAT('\`', table_schema, '\`.\`', REPLACE(table_name, '\`', '\`\`'), '\` TO \`', IF(table_schema = '$to', '$then_from', '$to'),
  '\`.\`', REPLACE(table_name, '\`', '\`\`'), '\`' ORDER BY table_schema = '$to' DESC SEPARATOR ', ')
FROM information_schema.tables WHERE table_schema IN ('$from', '$to') AND table_type <> 'VIEW' INTO @moves;
EXECUTE IMMEDIATE CONCAT_WS(', ', 'RENAME TABLE \`$(mark_database)\`.\`$mark\` TO \`$(mark_database)\`.\`$new_mark\`', @moves);
END
}

# write_definitions FILE...: into the live database, whoever the files name as definers.
write_definitions() { cat -- "$@" | prepare_dump "$name" | load_sql "$login" "$name"; }

# What can be read before the pause.
prepare_database() {
  dump_definitions "$(scratch_database)" >"$job_home/definitions.sql"
  only_events <"$restoring/database.sql" >"$job_home/events.sql"
  sql <<END
DROP DATABASE IF EXISTS \`$(mark_database)\`;
CREATE DATABASE \`$(mark_database)\`;
CREATE TABLE \`$(mark_database)\`.\`before\` (a INT);
END
}

swap_database() {
  local login
  hold_user
  dump_definitions "$name" >"$job_home/former.sql.new"
  sync "$job_home/former.sql.new"
  # From here on, what is dropped can be written again.
  mv -T -- "$job_home/former.sql.new" "$job_home/former.sql"
  sync "$job_home"
  drop_definitions "$name"
  drop_definitions "$(scratch_database)"
  move_tables "$(scratch_database)" "$name" "$(kept_database)" before after
  write_definitions "$job_home/definitions.sql" "$job_home/events.sql"
  release_user
}

swap_database_back() {
  local login swapped
  if [[ -e $job_home/former.sql ]]; then
    swapped=$(has_swapped_mark)
    hold_user
    drop_definitions "$name"
    # A backup of a job that came between may have removed it.
    sql <<<"CREATE DATABASE IF NOT EXISTS \`$(scratch_database)\` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci"
    if [[ $swapped == 1 ]]; then move_tables "$(kept_database)" "$name" "$(scratch_database)" after before; fi
    write_definitions "$job_home/former.sql"
  fi
  release_user
  sql_seconds=600 sql <<<"DROP DATABASE IF EXISTS \`$(kept_database)\`"
}
