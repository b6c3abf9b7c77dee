# A database beside the live one, which a dump is loaded into to see that it loads. What a dump says is not trusted: it is loaded by a program
# of the site's Linux user, as a database user who may use this one database only, and whoever it names as definers.
scratch_database() { echo "gatehouse-scratch-$name"; }

# Used to load a dump, and gone afterwards. load_home is in memory, and the site's user may pass it.
load_home=/run/gatehouse-load

# write_login USER PASSWORD: prints the path of a file by which a program of the site's user logs in.
write_login() {
  local file=$load_home/$name
  install -d -m 711 "$load_home"
  rm -f -- "$file"
  (umask 077 && printf '[client]\nuser=%s\npassword=%s\n' "$1" "$2" >"$file")
  chown "$name" "$file"
  echo "$file"
}

random_password() { od -An -v -N24 -tx1 /dev/urandom | tr -d ' \n'; }

# create_loader USER DATABASE...: a database user for one load, who may use only these databases. Prints the path of its login.
# shellcheck disable=SC2016
create_loader() {
  local user=$1 each password
  password=$(random_password)
  {
    # Not in an argument, where others could see it.
    printf "CREATE USER \`%s\`@localhost IDENTIFIED BY '%s';\n" "$user" "$password"
    for each in "${@:2}"; do printf 'GRANT ALL PRIVILEGES ON `%s`.* TO `%s`@localhost;\n' "$each" "$user"; done
  } | sql
  write_login "$user" "$password"
}

# Names nobody as definer, so that whoever loads it is one; writes no file outside the data folder; and names the database it is loaded into.
# A text of a row never begins a line, because dumps escape line ends.
prepare_dump() {
  local quoted='`([^`]|``)*`'
  LC_ALL=C sed -E \
    -e "1,30s/SQL_MODE='NO_AUTO_VALUE_ON_ZERO'/SQL_MODE='NO_AUTO_VALUE_ON_ZERO,NO_DIR_IN_CREATE'/" \
    -e '/^(CREATE|\/\*!50003 CREATE\*\/|\/\*!50106 CREATE\*\/|\/\*!50013) /s/ ?DEFINER='"$quoted(@$quoted)?"'//' \
    -e "s/^ALTER DATABASE $quoted /ALTER DATABASE \`$1\` /"
}

# Events of a database that is not live yet would run. A dump has them between two headings.
without_events() { LC_ALL=C sed -e '/^-- Dumping events for database /,/^-- \(Dumping routines for database \|Dump completed\)/d'; }
only_events() { LC_ALL=C sed -n -e '/^-- Dumping events for database /,/^-- \(Dumping routines for database \|Dump completed\)/p'; }

# load_sql LOGIN DATABASE: loads standard input. Clients know the option since a flaw by which a dump could run programs.
load_sql() {
  local limits=()
  if mariadb --no-defaults --help 2>/dev/null | grep -e '--sandbox' >/dev/null; then limits=(--sandbox); fi
  setpriv --reuid "$name" --regid "$name" --clear-groups --no-new-privs \
    timeout 3h mariadb --defaults-file="$1" "${limits[@]}" --protocol=socket --socket="$(mariadb_socket)" --default-character-set=utf8mb4 --max-allowed-packet=1G --batch -- "$2"
}

# load_scratch <DUMP: all but its events. The scratch database stays until drop_scratch, with its user, who defines the views in it. It may be called in a condition.
load_scratch() {
  local login scratch code=0
  scratch=$(scratch_database)
  drop_scratch && sql <<<"CREATE DATABASE \`$scratch\` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci" &&
    login=$(create_loader "$scratch" "$scratch") || return
  prepare_dump "$scratch" | without_events | load_sql "$login" "$scratch" || code=$?
  rm -f -- "$login"
  return "$code"
}

# After a boot, MariaDB may still be starting.
wait_for_database() {
  local left=30
  ! command -v mariadb >/dev/null || until sql <<<'SELECT 1' &>/dev/null || ((left-- == 0)); do sleep 1; done
}

drop_scratch() {
  rm -f -- "$load_home/$name"
  ! command -v mariadb >/dev/null || sql_seconds=600 sql <<END
DROP DATABASE IF EXISTS \`$(scratch_database)\`;
DROP USER IF EXISTS \`$(scratch_database)\`@localhost;
END
}
