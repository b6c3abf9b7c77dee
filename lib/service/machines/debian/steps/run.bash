# The run: each step in turn, with every line it says as an event. Ends with one line that is done or failed.
install_home=/var/lib/gatehouse/install
events=$install_home/events
export DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 APT_LISTCHANGES_FRONTEND=none UCF_FORCE_CONFFOLD=1
shopt -s lastpipe

# say STATUS MESSAGE [ERROR]: one line of the event file: time, step, progress, status, message, error. On a full disk the
# reserve that was set aside at the start makes room for the last words.
say() {
  local line message=${2//[[:cntrl:]]/ } error=${3:-}
  error=${error//[[:cntrl:]]/ }
  printf -v line '%(%s)T\t%s\t%d\t%s\t%s\t%s' -1 "$step" "$progress" "$1" "${message:0:500}" "${error:0:500}"
  echo "$line" >>"$events" && return
  rm -f "$install_home/reserve"
  echo "$line" >>"$events"
}

fail() {
  say failed "$1" "$1"
  sync "$events"
  exit 1
}

# apt's own figures move the bar within the step: a quarter for the download, the rest for the installation.
advance() {
  local percent=${2%%.*} now
  [[ $percent =~ ^[0-9]{1,3}$ ]] || return 0
  [[ $1 == dlstatus ]] && percent=$((percent / 4)) || percent=$((25 + percent * 3 / 4))
  now=$((begin + share * percent / 100))
  ((now <= progress)) || progress=$now
}

# Passes a step's lines on; keeps the last one, and the first that complains: what follows from it tells less. That the disk is
# full explains all other complaints, whenever it is said.
relay() {
  local line rest full=
  last='' complaint=''
  while IFS= read -r line || [[ -n $line ]]; do
    line=${line%$'\r'} line=${line##*$'\r'}
    case $line in
      *[![:space:]]*) ;;
      *) continue ;;
    esac
    case $line in
      dlstatus:* | pmstatus:*) rest=${line#*:*:} && advance "${line%%:*}" "${rest%%:*}" ;;
      *)
        last=$line
        [[ -n $complaint || ! $line =~ ^(E:|ERROR|error|dpkg:\ error|Failed|fatal) ]] || complaint=$line
        [[ -n $full || ! $line =~ (No space left|enough free space) ]] || full=yes complaint=${line#"${line%%[![:space:]]*}"}
        say running "$line"
        ;;
    esac
  done
}

probe() {
  (
    set -Eeuo pipefail
    "probe_$1"
  ) </dev/null &>/dev/null
}

# Never called inside a condition, where set -e would not hold and a step would go on past its first failure.
apply() {
  (
    set -Eeuo pipefail
    "apply_$1"
  ) </dev/null 2>&1 | relay
  return "${PIPESTATUS[0]}"
}

run_step() {
  progress=$begin
  if probe "$1"; then
    say running 'Already done.'
    return
  fi
  say running 'Begun.'
  sync "$events"
  apply "$1"
  (($? == 0)) || fail "The step “$step” failed: ${complaint:-${last:-it said nothing}}"
  probe "$1" || fail "The step “$step” ran to its end, but the server does not show what it should have done."
  progress=$((begin + share))
  say running 'Done.'
  sync "$events"
}

main() {
  local name weight title total=0 passed=0 path
  local step='' progress=0 begin=0 share=0 last='' complaint=''
  trap 'fail "The installation was stopped from outside during the step “$step”. Start it again: it goes on from there."' TERM
  while read -r _ weight _; do total=$((total + weight)); done <<<"$steps"
  while read -r name weight title; do
    step=$title
    begin=$((passed * 99 / total)) share=$((weight * 99 / total))
    run_step "$name" </dev/null
    passed=$((passed + weight))
  done <<<"$steps"
  for path in $(edited_files); do
    say running "$path was edited by hand and is left as it is."
  done
  progress=100
  say 'done' 'The server is ready.'
  sync "$events"
}
main
