# A temporary database server that nothing else can reach: a dump that loads into it can be restored.
scratch=$work/scratch
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

end_scratch() {
  [[ -z $server ]] || { kill "$server" && wait "$server"; } 2>/dev/null || true
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
  mariadb-install-db --no-defaults --user=root --datadir="$scratch" --skip-test-db "${laid_out[@]}" >"$work/scratch.log" 2>&1 9>&- ||
    { note_broken; return 1; }
  mariadbd --no-defaults --user=root --datadir="$scratch" --socket="$scratch/socket" --pid-file="$scratch/pid" --skip-networking \
    --innodb-buffer-pool-size=64M --innodb-flush-log-at-trx-commit=0 "${taken[@]}" >>"$work/scratch.log" 2>&1 9>&- &
  server=$!
  until answers; do
    kill -0 "$server" 2>/dev/null && ((++tries < 600)) || { note_broken; return 1; }
    sleep 0.1
  done
}

note_broken() { broken="The temporary database server did not start: $(first_error "$(grep -v Note "$work/scratch.log")")"; }

# A dump may place a table's files outside the data folder, where the live server keeps its own. Adding NO_DIR_IN_CREATE to the SQL mode
# at the dump's head ignores such paths.
keep_within() {
  sed -u "s/SQL_MODE='NO_AUTO_VALUE_ON_ZERO'/SQL_MODE='NO_AUTO_VALUE_ON_ZERO,NO_DIR_IN_CREATE'/;30q"
  cat
}

load_dump() { gzip -dc "$1" | keep_within | mariadb --no-defaults --socket="$scratch/socket" --max-allowed-packet=1G; }

# Prints the reason if the dump does not load.
try_dump() {
  local error
  start_scratch || { echo "$broken"; return 1; }
  error=$(load_dump "$1" 2>&1 >/dev/null) && return
  # The client reports a lost connection although the server still runs: it refused an oversized packet.
  if [[ $error == *'gone away'* || $error == *'Lost connection'* ]] && answers; then
    error="A row is larger than the server's max_allowed_packet."
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
      # Not in a subshell, which would lose the server's process id.
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
