# Appends lines to a run's event file ($events); `reserve` is a file that is freed when the disk is full.

# say STATUS MESSAGE [ERROR [REST]]: appends a line to the event file: time, step, progress, status, message, error, rest. On a full disk it frees
# the reserve that was created at the start to make room for the last lines.
say() {
  local line message=${2//[[:cntrl:]]/ } error=${3:-}
  error=${error//[[:cntrl:]]/ }
  printf -v line '%(%s)T\t%s\t%d\t%s\t%s\t%s%s' -1 "$step" "$progress" "$1" "${message:0:500}" "${error:0:500}" "${4:+$'\t'$4}"
  echo "$line" >>"$events" && return
  rm -f "$reserve"
  echo "$line" >>"$events"
}

fail() {
  say failed "$1" "$1"
  sync "$events"
  exit 1
}

# How well a line explains a failure: 3 the disk is full, 2 a specific cause, 1 a general complaint, 0 nothing.
# Apache prints the warnings AH00557 and AH00558 at every start.
weigh() {
  case $1 in
    *'No space left'* | *'enough free space'*) weight=3 ;;
    *AH0055[78]*) weight=0 ;;
    *AH0[0-9][0-9][0-9][0-9]:* | *'Address already in use'* | *'Syntax error'* | *'[ERROR]'* | *'[emerg]'* | *': fatal:'*) weight=2 ;;
    E:* | ERROR* | error* | 'dpkg: error'* | Failed* | fatal*) weight=1 ;;
    *) weight=0 ;;
  esac
}

# cut_lines: bash takes the square of its length to read a line, so no line is longer when it gets there.
cut_lines() { stdbuf -oL cut -b -4096; }

# Relays a step's output and keeps the first of the best explanations of a failure: later lines are often only consequences.
relay() {
  local line rest weight most=0
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
        weigh "$line"
        # The next line explains "Syntax error on line 3 of FILE:".
        if [[ -n $complaint && $complaint == "$last" && $complaint == *: ]]; then complaint+=" $line"; fi
        if ((weight > most)); then most=$weight complaint=${line#"${line%%[![:space:]]*}"}; fi
        last=$line
        say running "$line"
        ;;
    esac
  done
}
