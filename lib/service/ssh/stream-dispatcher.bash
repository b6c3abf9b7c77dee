# Runs one request and streams its output. The first line marks where the output of the login shell ends.
source take-request.bash

source take-request.bash

main() {
  # shellcheck disable=SC2034 # take_request sets most; what is streamed has no limit.
  local nonce limit most script values
  umask 077
  take_request || exit 72
  printf 'gatehouse %s stream\n' "$nonce"
  give_values | LC_ALL=C.UTF-8 timeout -k 5 "$limit" bash --noprofile --norc -c "$script" gatehouse
  exit "${PIPESTATUS[1]}"
}
main
