# A temporary database server that nothing else can reach: a dump that loads into it can be restored. Loading runs what programs of sites wrote into
# their databases, as root of that server, so it runs as a user that nothing else has, and sees nothing of this server.
source sites/load-errors.bash
source steps/nightly-backup/databases.bash
source steps/nightly-backup/status.bash

scratch=$work/scratch
proof_unit=gatehouse-proof.service
server=
# Why it does not start; it is then not started again.
broken=

# The settings that decide whether the live server accepts a table or a row. Plugins are left out, because some contact other servers.
limits="'character_set_server', 'character_set_collations', 'collation_server', 'explicit_defaults_for_timestamp',
  'innodb_default_row_format', 'innodb_page_size', 'innodb_read_only_compressed', 'innodb_strict_mode', 'log_bin_trust_function_creators',
  'lower_case_table_names', 'max_allowed_packet', 'old_mode', 'sql_mode'"

read_limits() {
  local name value
  taken=() laid_out=()
  while IFS=$'\t' read -r name value; do
    taken+=("--loose-$name=$value")
    # These two are fixed when the data folder is created.
    [[ $name != innodb_page_size && $name != lower_case_table_names ]] || laid_out+=("--loose-$name=$value")
  done < <(ask "SHOW GLOBAL VARIABLES WHERE Variable_name IN ($limits)")
}

# It outlives a backup that is killed.
end_scratch() {
  systemctl -q kill -s KILL "$proof_unit" 2>/dev/null || true
  systemctl -q stop "$proof_unit" 2>/dev/null || true
  systemctl reset-failed "$proof_unit" 2>/dev/null || true
  server=
}

answers() { mariadb-admin --no-defaults --socket="$scratch/socket" ping >/dev/null 2>&1; }

# Starts the server, also again after a dump crashed it. Callers use it in conditions, which disables errexit: each step checks for failure.
start_scratch() {
  local tries=0
  [[ -z $broken ]] || return 1
  [[ -z $server ]] || ! answers || return 0
  end_scratch
  rm -rf "$scratch"
  # Nobody but root gets into the folder above.
  install -d -m 777 "$scratch" || return 1
  : >"$work/scratch.log"
  systemd-run --quiet --collect --unit="$proof_unit" -p DynamicUser=yes -p PrivateNetwork=yes -p PrivateDevices=yes -p ProtectHome=yes -p ProtectProc=invisible \
    -p TemporaryFileSystem=/var:ro -p BindPaths="$scratch" -p InaccessiblePaths='-/etc/gatehouse -/root -/srv -/opt -/mnt -/media -/run/mysqld -/run/gatehouse-load' \
    -p RuntimeMaxSec=11h -p "StandardOutput=append:$work/scratch.log" -p "StandardError=append:$work/scratch.log" \
    /bin/bash -c 'mariadb-install-db --no-defaults --auth-root-authentication-method=socket --auth-root-socket-user=root --datadir="$0" --skip-test-db "${@:2:$1}" &&
      exec mariadbd --no-defaults --datadir="$0" --socket="$0/socket" --pid-file="$0/pid" --skip-networking --innodb-buffer-pool-size=64M \
        --innodb-flush-log-at-trx-commit=0 "${@:$1+2}"' "$scratch" "${#laid_out[@]}" "${laid_out[@]}" "${taken[@]}" || { note_broken; return 1; }
  server=yes
  until answers; do
    { systemctl -q is-active "$proof_unit" && ((++tries < 3000)); } || { note_broken; return 1; }
    sleep 0.1
  done
  copy_accounts
}

# Views run functions as their definers, also while they are loaded. Who exists on the live server exists here, without a password: nobody else gets
# to this server, and what an account may do is not what a dump has to prove.
copy_accounts() {
  ask "SELECT CONCAT('CREATE USER IF NOT EXISTS ', QUOTE(User), '@', QUOTE(Host), '; GRANT ALL PRIVILEGES ON *.* TO ', QUOTE(User), '@', QUOTE(Host), ';')
    FROM mysql.global_priv WHERE JSON_VALUE(Priv, '$.is_role') IS NULL AND User NOT IN ('', 'root', 'mariadb.sys', 'PUBLIC')" |
    mariadb --no-defaults --socket="$scratch/socket" --force >/dev/null 2>&1 || true
}

note_broken() { broken="The temporary database server did not start: $(first_error "$(grep -v Note "$work/scratch.log")")"; }

# A dump may place a table's files outside the data folder, where the live server keeps its own. Adding NO_DIR_IN_CREATE to the SQL mode
# at the dump's head ignores such paths.
keep_within() {
  sed -u "s/SQL_MODE='NO_AUTO_VALUE_ON_ZERO'/SQL_MODE='NO_AUTO_VALUE_ON_ZERO,NO_DIR_IN_CREATE'/;30q"
  cat
}

# Clients know the option since a flaw by which a dump could run programs.
load_dump() {
  local confined=()
  if mariadb --no-defaults --help 2>/dev/null | grep -e '--sandbox' >/dev/null; then confined=(--sandbox); fi
  gzip -dc "$1" | keep_within | name_tables "$work/places" | mariadb --no-defaults "${confined[@]}" --socket="$scratch/socket" --max-allowed-packet=1G
}

# Prints the reason if the dump does not load.
try_dump() {
  local error where=''
  start_scratch || { echo "$broken"; return 1; }
  error=$(load_dump "$1" 2>&1 >/dev/null | errors_only) && return
  error=$(explain_errors "$work/places" <<<"$error")
  # The client reports a lost connection although the server still runs: it refused an oversized packet.
  if [[ $error == *'gone away'* || $error == *'Lost connection'* ]] && answers; then
    [[ ! $error =~ \ \(in\ the\ table\ .*\)$ ]] || where=${BASH_REMATCH[0]}
    error="A row is larger than the server's max_allowed_packet$where."
  fi
  first_error "$error"
  return 1
}

# Loads every dump. Views may need other databases, so failed dumps are retried as long as others succeed.
prove_dumps() {
  local left=("${!dumps[@]}") again index loaded=1
  local -A refused=()
  while ((loaded && ${#left[@]})); do
    loaded=0 again=()
    for index in "${left[@]}"; do
      # Not in a subshell, which would lose whether the server runs.
      if try_dump "$work/databases/${dumps[index]}" >"$work/fault"; then
        loaded=1
      else
        refused[$index]=$(<"$work/fault")
        again+=("$index")
      fi
    done
    left=("${again[@]}")
  done
  end_scratch
  rm -rf "$scratch"
  for index in "${left[@]}"; do
    faults[index]=${faults[index]:-It cannot be loaded again: ${refused[$index]}}
  done
  for index in "${!faults[@]}"; do
    mv "$work/databases/${dumps[index]}" "$work/unproven/"
    lack "${names[index]}" "${faults[index]}"
  done
}
