# The server itself, in one archive.
source steps/nightly-backup/archive.bash
source steps/nightly-backup/databases.bash
source steps/nightly-backup/proof.bash
source steps/nightly-backup/room.bash
source steps/nightly-backup/status.bash

finish() {
  # Tidying up may fail; the outcome must be said anyway.
  set +e
  trap - EXIT
  trap '' TERM INT HUP
  end_scratch
  rm -rf "$work"
  printf '%s\0%s\0' "$outcome" "$sentence" >"$result"
}

# Whatever ends this ends nothing else.
back_up_server() (
  set -euo pipefail
  outcome=failed sentence=$unexpected
  trap finish EXIT
  trap 'fail "$was_stopped"' TERM INT HUP
  install -d -m 700 "$work"

  find_parts
  find_databases
  require_room
  required=(etc/passwd)
  if [[ -n $data ]]; then
    dump_databases
    read_limits
    prove_dumps
    parts+=(-C "$work" databases unproven)
    for index in "${!dumps[@]}"; do
      [[ -n ${faults[index]:-} ]] && required+=("unproven/${dumps[index]}") || required+=("databases/${dumps[index]}")
    done
  fi
  write_archive "$work/archive.tar.gz"
  prove_archive "$work/archive.tar.gz" "${required[@]}"
  keep_archive "$work/archive.tar.gz"
  outcome='done' sentence=''
  if ((${#missing[@]})); then
    outcome=partial
    list=$(printf '%s, ' "${missing[@]:0:5}")
    sentence="Missing: ${list%, }"
    ((${#missing[@]} <= 5)) || sentence+=" and $((${#missing[@]} - 5)) more"
    sentence+=.
  fi
  rotate
)
