# What the exchange of a site's tables for those of the scratch database leaves in MariaDB. The host program makes it, and notes it in the journal first; the former
# tables stay in a database of their own.
source sites/logins.bash
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
