# The live database server, always through its local socket: root's settings may name another host, which is not part of this backup.
source sites/routines.bash
source steps/nightly-backup/status.bash

login=()
data=
names=()
dumps=()
faults=()

ask() { mariadb "${login[@]}" --protocol=socket --host=localhost --connect-timeout=10 -N -B -e "$1"; }

# ask_many: runs the statements of standard input.
ask_many() { mariadb "${login[@]}" --protocol=socket --host=localhost --connect-timeout=10 --default-character-set=utf8mb4 --batch --skip-column-names; }

# Finds options that log in a user who may read everything: those of /root/.my.cnf or none, root by name, Debian's own login.
# On failure `refusal` holds the first error.
find_login() {
  local way answer
  refusal=
  for way in '' --user=root --defaults-file=/etc/mysql/debian.cnf; do
    login=(${way:+"$way"})
    answer=$(ask 'SELECT 1 FROM mysql.user LIMIT 1' 2>&1) && return
    refusal=${refusal:-$(first_error "$answer")}
  done
  return 1
}

has_database_server() { command -v mariadbd || command -v mysqld; } >/dev/null

# Sets `data`, the data folder of the live server, if there are databases to dump; else reports why there are none.
find_databases() {
  local version
  has_database_server || return 0
  if ! command -v mariadb >/dev/null || ! command -v mariadb-dump >/dev/null || ! command -v mariadbd >/dev/null; then
    lack 'All databases' 'The database server is not MariaDB, or its client is not installed.'
  elif ! find_login; then
    [[ $refusal != *'ERROR 2002'* ]] || { lack 'All databases' "The database server does not answer: $refusal"; return; }
    lack 'All databases' "Root does not get in through the socket, /root/.my.cnf or /etc/mysql/debian.cnf: $refusal"
  elif version=$(ask 'SELECT VERSION()') && [[ $version != *MariaDB* ]]; then
    lack 'All databases' "The database server is not MariaDB: ${version:0:100}"
  else
    data=$(ask 'SELECT @@datadir') || fail 'The database server stopped in the meantime.'
  fi
}

# Turns a database's name into a file name: keeps ASCII letters, digits, _, - and non-ASCII bytes; the rest becomes %XX.
file_name() {
  local LC_ALL=C name=$1 text='' at char
  for ((at = 0; at < ${#name}; at++)); do
    char=${name:at:1}
    case $char in
      [A-Za-z0-9_-] | [$'\x80'-$'\xff']) text+=$char ;;
      .) ((at > 0)) && text+=. || text+=%2E ;;
      *) text+=$(printf '%%%02X' "'$char") ;;
    esac
  done
  echo "$text"
}

# history_options DATABASE: what keeps the former rows of tables with system versioning. Where programs do not know it, that is missing.
history_options() {
  local tables
  history=()
  tables=$(ask "SELECT GROUP_CONCAT(table_name SEPARATOR ', ') FROM information_schema.tables WHERE table_schema = CONVERT(X'$2' USING utf8mb4) AND table_type = 'SYSTEM VERSIONED'") || return 0
  [[ $tables != NULL ]] || return 0
  if mariadb-dump --no-defaults --help 2>/dev/null | grep -e '--dump-history' >/dev/null; then
    history=(--dump-history)
  else
    lack "$1: history" "MariaDB's program for dumps does not know the history of its tables: ${tables:0:200}"
  fi
}

# With --force an error skips one table or view instead of all that follow; the exit code still reports it.
dump_database() {
  mariadb-dump "${login[@]}" --protocol=socket --host=localhost --max-allowed-packet=1G --single-transaction --quick --force "${history[@]}" \
    --routines --events --triggers --databases -- "$1" | gzip >"$2"
}

# dump_site NAME FILE: the database of a site. Its programs may change its tables at any moment into views that run functions of theirs as whoever
# reads them, so somebody reads them who has no rights in any other database.
dump_site() {
  local user=gatehouse-night-$1 password common=(--protocol=socket --host=localhost --max-allowed-packet=1G --single-transaction --quick --force "${history[@]}") code=0
  password=$(od -An -v -N24 -tx1 /dev/urandom | tr -d ' \n')
  printf '[client]\nuser=%s\npassword=%s\n' "$user" "$password" >"$work/login"
  mariadb "${login[@]}" --protocol=socket --host=localhost <<END || return
CREATE OR REPLACE USER \`$user\`@localhost IDENTIFIED BY '$password';
GRANT SELECT, SHOW VIEW, LOCK TABLES, TRIGGER, EVENT, EXECUTE ON \`$1\`.* TO \`$user\`@localhost;
END
  # Views may use routines, so these come first.
  { ask_many <<<"SHOW CREATE DATABASE IF NOT EXISTS \`$1\`" | sed "s/^[^\t]*\t//; s/\$/; USE \`$1\`;/" && write_routines "$1" ask_many &&
    mariadb-dump --defaults-file="$work/login" "${common[@]}" --events --triggers --databases -- "$1"; } | gzip >"$2" || code=$?
  rm -f "$work/login"
  ask "DROP USER IF EXISTS \`$user\`@localhost"
  return "$code"
}

# Dumps each database into its own file. Sets names, dumps and, for incomplete dumps, faults, all with the same index.
dump_databases() {
  local hex name error listed dumping history
  mkdir "$work/databases" "$work/unproven"
  listed=$(ask "SELECT HEX(schema_name) FROM information_schema.schemata
    WHERE schema_name NOT IN ('information_schema', 'performance_schema', 'sys')
      AND schema_name NOT LIKE 'gatehouse-scratch-%' AND schema_name NOT LIKE 'gatehouse-kept-%' AND schema_name NOT LIKE 'gatehouse-restore-%'" 2>&1) ||
    { lack 'All databases' "They cannot be listed: $(first_error "$listed")"; return; }
  for hex in $listed; do
    name=$(printf '%b' "$(sed 's/../\\x&/g' <<<"$hex")")
    # A pull or push makes these beside a site's database and deletes them.
    [[ $name != *_@(new|old) || ! -e /etc/gatehouse/sites/${name%_*}/site ]] || continue
    dump=$(file_name "$name").sql.gz
    dumping=dump_database
    [[ ! -e /etc/gatehouse/sites/$name/site ]] || dumping=dump_site
    history_options "$name" "$hex"
    error=$("$dumping" "$name" "$work/databases/$dump" 2>&1) ||
      faults[${#names[@]}]="It could not be dumped whole: $(first_error "$error")"
    names+=("$name") dumps+=("$dump")
  done
}
