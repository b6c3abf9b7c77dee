# Exchanges the site's database for the scratch database, by the host program, which notes it in the journal first. The former tables stay in a database of
# their own.
source host/program.bash
source sites/logins.bash
source sites/scratch.bash
source sites/site.bash

kept_database() { echo "gatehouse-kept-$name"; }
held_user() { echo "gatehouse-held-$name"; }
# Its one table is renamed with the tables, so its name tells whether they have changed places. Programs of the site do not get there.
mark_database() { echo "gatehouse-restore-$name"; }

has_user() { [[ $(sql <<<"SELECT COUNT(*) FROM mysql.user WHERE user = '$1' AND host = 'localhost'") == 1 ]]; }
# 1 if they have changed places, else 0. Fails if the database does not say.
has_swapped_mark() { sql <<<"SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = '$(mark_database)' AND table_name = 'after'"; }

# Of a restore into a new site, which is removed.
release_user() {
  rm -f -- "$load_home/$name"
  has_user "$(held_user)" || return 0
  sql <<END
DROP USER IF EXISTS \`$name\`@localhost;
RENAME USER \`$(held_user)\`@localhost TO \`$name\`@localhost;
END
}

swap_database() {
  printf '{"protocol":1,"job":"swap-database","name":"%s","folder":"%s","journal":"%s"}' "$name" "$job_home" "$job_home/journal" | run_host_program
}

drop_kept() {
  [[ -e $job_home/place ]] || return 0
  sql_seconds=600 sql <<<"DROP DATABASE IF EXISTS \`$(kept_database)\`"
}
