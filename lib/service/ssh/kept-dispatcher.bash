# Answers requests one after another until its input ends, and keeps no state between them. A script's output goes to files first,
# so the answer can state its length, and a script whose connection drops runs to completion instead of dying halfway.
source take-request.bash

source take-request.bash

keep() {
  head -c "$most" >"$directory/$1"
  while IFS= read -r -N 65536 REPLY; do :; done
}

run_script() {
  {
    {
      give_values | LC_ALL=C.UTF-8 timeout -k 5 "$limit" bash --noprofile --norc -c "$script" gatehouse 3>&-
      printf %s "${PIPESTATUS[1]}" >"$directory/code"
    } 2>&3 | keep out
  } 3>&1 >/dev/null | keep err
}

main() {
  local nonce limit most script values code sizes
  umask 077
  directory=$(mktemp -d /run/gatehouse.XXXXXXXXXX || mktemp -d) || exit 71
  trap 'rm -rf "$directory"' EXIT
  while take_request; do
    : >"$directory/code"
    run_script
    code=$(<"$directory/code")
    sizes=$(stat -c %s "$directory/out" "$directory/err")
    printf 'gatehouse %s %s %s\n' "$nonce" "${code:-125}" "${sizes//$'\n'/ }"
    cat "$directory/out" "$directory/err"
    : >"$directory/out"
    : >"$directory/err"
  done
}
main
