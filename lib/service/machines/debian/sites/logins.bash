# Database users that are made for one piece of work. A site's programs may change its tables at any moment into views that run functions of theirs
# as whoever reads them, and what a dump says is not trusted. So the tables of a site are read, and dumps are loaded, as somebody who has no
# rights in any other database.
source sites/site.bash

# Only root gets there.
load_home=/run/gatehouse-load
# Two sites may be worked on at a time, each by one job.
load_unit() { echo "gatehouse-load-$name.service"; }

random_password() { od -An -v -N24 -tx1 /dev/urandom | tr -d ' \n'; }

# write_login USER PASSWORD: prints the path of a file by which a program logs in.
write_login() {
  local file=$load_home/$1
  install -d -m 700 "$load_home"
  rm -f -- "$file"
  (umask 077 && printf '[client]\nuser=%s\npassword=%s\n' "$1" "$2" >"$file")
  echo "$file"
}

# create_login USER RIGHTS DATABASE...: a database user with these rights in these databases. Prints the path of its login.
create_login() {
  local each password
  password=$(random_password)
  {
    # Not in an argument, where others could see it.
    printf "CREATE OR REPLACE USER \`%s\`@localhost IDENTIFIED BY '%s';\n" "$1" "$password"
    # Unescaped, it would stand for any character.
    for each in "${@:3}"; do printf 'GRANT %s ON `%s`.* TO `%s`@localhost;\n' "$2" "${each//_/\\_}" "$1"; done
  } | sql
  write_login "$1" "$password"
}

# create_reader USER DATABASE
create_reader() { create_login "$1" 'SELECT, SHOW VIEW, LOCK TABLES, TRIGGER, EVENT, EXECUTE' "$2"; }

# Who dumps a database, and who reads its tables for a page.
dumper() { echo "gatehouse-dump-$1"; }
reader() { echo "gatehouse-read-$1"; }

# drop_logins USER...
drop_logins() {
  local each
  for each; do
    rm -f -- "$load_home/$each"
    echo "DROP USER IF EXISTS \`$each\`@localhost;"
  done | sql
}

# database_hash USER: of the password. Fails for a user who signs in otherwise than by a password.
database_hash() {
  local hash
  hash=$(sql <<<"SELECT JSON_VALUE(Priv, '\$.authentication_string') FROM mysql.global_priv WHERE User = '$1' AND Host = 'localhost'")
  # The site's programs may have set an empty one.
  [[ $hash =~ ^(\*[0-9A-F]{40})?$ ]] || { echo "The database user $1 does not sign in by a password." >&2; return 1; }
  printf '%s' "$hash"
}

# Logins of programs that were killed: who asks is named by the number of its process.
sweep_askers() {
  local each gone=()
  for each in $(sql <<<"SELECT User FROM mysql.global_priv WHERE User LIKE 'gatehouse-ask-%'"); do
    [[ -d /proc/${each##*-} ]] || gone+=("$each")
  done
  ((${#gone[@]} == 0)) || drop_logins "${gone[@]}"
}

# sql_about DATABASE OPTION...: runs the statements of standard input as somebody who may read this database and nothing else. MariaDB runs
# functions of views, as whoever asks, also where it only prepares them: for SHOW, and for sizes and row counts in information_schema.
sql_about() {
  local login code=0 user=gatehouse-ask-$1-$BASHPID
  login=$(create_reader "$user" "$1")
  sql_as "$login" "${@:2}" || code=$?
  drop_logins "$user"
  return "$code"
}
# Once nobody else is loading.
restore_packet() { [[ ! -s $load_home/packet ]] || hold_packet restore_held; }
restore_held() {
  rm -f -- "$load_home/raised-$name"
  [[ -z $(find "$load_home" -name 'raised-*') && -s $load_home/packet ]] || return 0
  sql <<<"SET GLOBAL max_allowed_packet = $(<"$load_home/packet")" && rm -f -- "$load_home/packet"
}

# hold_packet FUNCTION: two jobs must not count each other half.
hold_packet() {
  (
    exec 6>"${sites_lock%/*}/packet.lock"
    flock 6
    "$1"
  )
}

# It outlives a job that is killed.
stop_loading() {
  systemctl kill -s KILL "$(load_unit)" 2>/dev/null || true
  systemctl -q stop "$(load_unit)" 2>/dev/null || true
  restore_packet || true
}
