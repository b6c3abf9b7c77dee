# A database beside the live one, which a dump is loaded into to see that it loads.
source sites/logins.bash
source sites/site.bash

scratch_database() { echo "gatehouse-scratch-$name"; }

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
