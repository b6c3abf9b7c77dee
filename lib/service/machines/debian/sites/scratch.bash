# A database beside the live one, which a dump is loaded into to see that it loads.
source sites/logins.bash
source sites/site.bash

scratch_database() { echo "gatehouse-scratch-$name"; }

# Names nobody as definer, so that whoever loads it is one; writes no file outside the data folder; and names the database it is loaded into.
# A text of a row never begins a line, because dumps escape line ends.
prepare_dump() {
  local quoted='`([^`]|``)*`'
  LC_ALL=C sed -E \
    -e "/^\/\*M?![0-9]+ SET @OLD_SQL_MODE=/s/SQL_MODE='NO_AUTO_VALUE_ON_ZERO'/SQL_MODE='NO_AUTO_VALUE_ON_ZERO,NO_DIR_IN_CREATE'/" \
    -e '/^(CREATE|\/\*!50003 CREATE\*\/|\/\*!50106 CREATE\*\/|\/\*!50013) /s/ ?DEFINER='"$quoted(@$quoted)?"'//' \
    -e "s/^ALTER DATABASE $quoted /ALTER DATABASE \`$1\` /"
}

# After a boot, MariaDB may still be starting.
wait_for_database() {
  local tries=30
  ! command -v mariadb >/dev/null || until sql <<<'SELECT 1' &>/dev/null || ((tries-- == 0)); do sleep 1; done
}

drop_scratch() {
  rm -f -- "$load_home/$(scratch_database)"
  command -v mariadb >/dev/null || return 0
  sql_seconds=600 sql <<<"DROP DATABASE IF EXISTS \`$(scratch_database)\`"
  drop_logins "$(scratch_database)" "$(dumper "$name")" "$(dumper "$(scratch_database)")"
  sweep_askers
}
