# A database server of our own, which nobody reaches and which is gone afterwards: what loads into it can be restored.
scratch=$work/scratch
server=
# Why it does not start; it is not tried again then.
broken=

# What decides on the live server whether a table or a row is taken. Plugins are not among it: some reach other servers.
limits="'character_set_server', 'character_set_collations', 'collation_server', 'explicit_defaults_for_timestamp',
  'innodb_default_row_format', 'innodb_page_size', 'innodb_read_only_compressed', 'innodb_strict_mode', 'log_bin_trust_function_creators',
  'lower_case_table_names', 'max_allowed_packet', 'old_mode', 'sql_mode'"

read_limits() {
  local name value
  taken=() laid_out=()
  while IFS=$'\t' read -r name value; do
    taken+=("--loose-$name=$value")
    # These two are those of the data's folder, from its making on.
    [[ $name != innodb_page_size && $name != lower_case_table_names ]] || laid_out+=("--loose-$name=$value")
  done < <(ask "SHOW GLOBAL VARIABLES WHERE Variable_name IN ($limits)")
}

end_scratch() {
  [[ -z $server ]] || { kill "$server" && wait "$server"; } 2>/dev/null || true
  server=
}

answers() { mariadb-admin --no-defaults --socket="$scratch/socket" ping >/dev/null 2>&1; }

# Starts it, or again if a dump brought it down. Whoever asks for the outcome switches errexit off: each step says that it failed.
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

note_broken() { broken="The server to load it into does not start: $(first_error "$(grep -v Note "$work/scratch.log")")"; }

# A table that is told where to keep its files would be made there, where those of the live one are: the mode that its head sets
# has it ignore that.
keep_within() {
  sed -u "s/SQL_MODE='NO_AUTO_VALUE_ON_ZERO'/SQL_MODE='NO_AUTO_VALUE_ON_ZERO,NO_DIR_IN_CREATE'/;30q"
  cat
}

load_dump() { gzip -dc "$1" | keep_within | mariadb --no-defaults --socket="$scratch/socket" --max-allowed-packet=1G; }

# Says on stdout why not.
try_dump() {
  local error
  start_scratch || { echo "$broken"; return 1; }
  error=$(load_dump "$1" 2>&1 >/dev/null) && return
  # What the client says of a server that hung up on it and is there all the same.
  if [[ $error == *'gone away'* || $error == *'Lost connection'* ]] && answers; then
    error='A row of it takes more than max_allowed_packet of the server allows.'
  fi
  first_error "$error"
  return 1
}

# Loads every dump. A view may look into another database: what is refused is tried again as long as others get in.
prove_dumps() {
  local left=("${!dumps[@]}") again index loaded=1
  local -A refused=()
  while ((loaded && ${#left[@]})); do
    loaded=0 again=()
    for index in "${left[@]}"; do
      # Not in a subshell: the server has to be known to finish.
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
