# MariaDB that only this server can reach; root logs in through the socket.
source steps/files.bash
source steps/listeners.bash
source steps/units.bash

content_mariadb() {
  cat <<'END'
# Put here by Gatehouse.
[mysqld]
bind-address = 127.0.0.1
local-infile = OFF
END
}

mariadb_conf=/etc/mysql/mariadb.conf.d/60-gatehouse.cnf

find_database() {
  local there
  there=$(first_installed 'mariadb-server' 'mariadb-server-[0-9]*' 'mysql-server*' 'mysql-community-server*' 'percona-server-server*')
  if [[ $there == MariaDB ]]; then
    echo 'MariaDB is the database server here; it is left as it is.'
    return
  fi
  [[ -z $there ]] || there="$there is the database server here"
  [[ -n $there ]] || there=$(program_on 3306 | sed 's/$/ serves port 3306 here/')
  [[ -n $there || ! $(ss -H -xl) =~ (/[^ ]*mysqld?\.sock) ]] || there="A database server listens at ${BASH_REMATCH[1]}"
  kept_because "$there" MariaDB 'MariaDB is not installed'
}

probe_database() {
  is_put "$mariadb_conf" content_mariadb && ! owes_restart mariadb && units_run mariadb
}

apply_database() {
  local tries=0
  owe_restart mariadb
  put "$mariadb_conf" 644 content_mariadb
  run_units mariadb
  until is_switched_off mariadb || mariadb-admin --silent ping; do
    ((++tries < 60)) || { echo 'MariaDB did not start within a minute.'; return 1; }
    sleep 1
  done
  restart_paid mariadb
}

unwind_database() { systemctl -q is-active mariadb || systemctl restart mariadb || true; }

differences_database() { tell_switched_off mariadb; }
