# Whether an app gets into its database: what its own configuration says, read as the site's user.
source sites/confine.bash

# try_login USER PHP DOMAIN FOLDER: of the app in the folder that is served. Prints `in` or `out`, the database, its user and why not, with tabs between;
# nothing where no configuration tells.
try_login() {
  local properties=() each
  while IFS= read -r each; do properties+=(-p "$each"); done < <(confinement "$1")
  for each in "$4" "${4%/*}"; do
    # WordPress looks in the folder above too.
    [[ -f $each/wp-config.php && $each == */public* ]] || continue
    printf '%s\0' "$each/wp-config.php" "$3" | systemd-run --quiet --pipe --wait --collect -p User="$1" "${properties[@]}" -p MemoryMax=256M -p TasksMax=8 -p RuntimeMaxSec=30 \
      "$2" -d display_errors=0 -d log_errors=0 -d memory_limit=200M -r "$(content_login)" 2>/dev/null | tail -n 1 | cut -c 1-300 || true
    return 0
  done
}

# refuse_login DOMAIN TOLD: what try_login has printed.
refuse_login() {
  local fields
  IFS=$'\t' read -ra fields <<<"$2"
  echo "$1 would not get into its database ${fields[1]-} as ${fields[2]-} by what its wp-config.php says: ${fields[3]-}."
  return 1
}
