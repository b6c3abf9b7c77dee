# MariaDB for this machine alone: root by the socket, nobody without a name, no test database.
content_mariadb() {
  cat <<'END'
# Put here by Gatehouse.
[mysqld]
bind-address = 127.0.0.1
local-infile = OFF
END
}

mariadb_conf=/etc/mysql/mariadb.conf.d/60-gatehouse.cnf
strangers="User = '' OR (User = 'root' AND Host <> 'localhost')"

probe_database() {
  local left
  is_put "$mariadb_conf" content_mariadb && ! owes_restart mariadb &&
    systemctl -q is-enabled mariadb && systemctl -q is-active mariadb &&
    left=$(mariadb -N -B <<<"SELECT COUNT(*) FROM mysql.global_priv WHERE $strangers
      UNION ALL SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = 'test'
      UNION ALL SELECT COUNT(*) FROM mysql.db WHERE Db LIKE 'test%' AND User = ''") &&
    [[ $left == $'0\n0\n0' ]]
}

apply_database() {
  local tries=0
  owe_restart mariadb
  put "$mariadb_conf" 644 content_mariadb
  systemctl -q enable mariadb
  systemctl restart mariadb
  until mariadb-admin --silent ping; do
    ((++tries < 60)) || { echo 'MariaDB did not come up within a minute.'; return 1; }
    sleep 1
  done
  mariadb <<<"DELETE FROM mysql.global_priv WHERE $strangers;
    DELETE FROM mysql.db WHERE Db LIKE 'test%' AND User = '';
    DROP DATABASE IF EXISTS test;
    FLUSH PRIVILEGES;"
  restart_paid mariadb
}
