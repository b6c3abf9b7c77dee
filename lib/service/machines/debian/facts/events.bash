# What the server did by its own timers within a week, and when it booted, from what the server notes about that anyway. Each as kind, seconds
# since 1970, id, outcome, domain or `-`, and a sentence.
source sites/certificate.bash
source sites/site.bash

events_since=$((EPOCHSECONDS - 7 * 86400))

# The summary has a limit, so events are read last and until this many seconds after its start. What is not read by then, a later check reads.
events_until=6

# read_journal OPTION...: entries as a paragraph each, with a field per line; none if that takes too long. Only entries of systemd itself and of
# the unit match `-u`.
read_journal() {
  local left=$((events_until - SECONDS)) entries
  # `timeout 0` has no limit.
  ((left > 0)) || return 0
  entries=$(timeout "$left" journalctl -q --no-pager -o export --since="@$events_since" "$@" 2>/dev/null) || return 0
  printf '%s\n' "$entries"
}
journal_fields='BEGIN { RS = ""; FS = "\n" }
  { split("", field); for (i = 1; i <= NF; i++) if ((at = index($i, "="))) field[substr($i, 1, at - 1)] = substr($i, at + 1)
    seconds = substr(field["__REALTIME_TIMESTAMP"], 1, 10) }'

# The nightly backup names each backup of a site, and at the end what failed. systemd says how it ended.
print_backups() {
  read_journal -u gatehouse-backup.service -n 4000 --output-fields=MESSAGE,MESSAGE_ID,JOB_RESULT,INVOCATION_ID,_SYSTEMD_INVOCATION_ID |
    awk -v until="$((EPOCHSECONDS - 5))" "$journal_fields"'
      function end(run) { if (run == "") return; if (!(run in ended)) order[++count] = run; ended[run] = seconds }
      # The journal may lack the run of its last lines, whose program was over when it looked, and may have them after the end of the run.
      { run = field["_SYSTEMD_INVOCATION_ID"]; from = field["INVOCATION_ID"] == "" ? run : field["INVOCATION_ID"]
        if (from != "" && from != latest) latest = ""
        if (from == "" && latest != "" && seconds - at_end <= 5) run = latest }
      field["MESSAGE"] ~ /-nightly\.tar\.(gz|zst)("})?$/ { sites[run]++ }
      field["MESSAGE"] ~ /^(failed|partial): / { if (run != latest) end(run); failure[run] = field["MESSAGE"]; sub(/^[a-z]+: /, "", failure[run]) }
      # The last event of a run says what it lacks. Scripts of earlier versions have written a sentence.
      field["MESSAGE"] ~ /^\{"code":/ { failure[run] = field["MESSAGE"] }
      field["MESSAGE_ID"] ~ /^(39f53479d3a045ac8e11786248231fbf|be02cf6855d2428ba40df7e9d022f03d)$/ {
        run = field["INVOCATION_ID"]; end(run); latest = run; at_end = seconds
        if (failure[run] == "") failure[run] = failure[""]
        sites[run] += sites[""]; failure[""] = ""; sites[""] = 0
        if (field["JOB_RESULT"] == "done") whole[run] = 1
      }
      END {
        for (i = 1; i <= count; i++) {
          run = order[i]; said = sites[run] + 0
          # What it said may reach the journal later than its end.
          if (ended[run] > until) continue
          if (run in whole) said = "The server and " said (said == 1 ? " site" : " sites") " were backed up."
          else said = failure[run] == "" ? "The journal of gatehouse-backup.service may say why." : failure[run]
          print "backup", ended[run], "backup-" run, (run in whole) ? "done" : "failed", "-", said
        }
      }'
}

# systemd notes the end of each start, with another id of the message where it runs in a container. The present start may not have ended yet.
print_boots() {
  local id at
  id=$(tr -d - </proc/sys/kernel/random/boot_id)
  at=$(TZ=UTC systemctl show -P UserspaceTimestamp)
  at=$(date -d "${at:-@0}" +%s)
  {
    ((at < events_since)) || echo "$at $id"
    read_journal _PID=1 MESSAGE_ID=b07a249cd024414a82dd00cd181378ff MESSAGE_ID=eed00a68ffd84e31882105fd973abdd1 -n 30 --output-fields=_BOOT_ID |
      awk "$journal_fields"'{ print seconds, field["_BOOT_ID"] }'
  } | awk '!seen[$2]++ { print "reboot", $1, "reboot-" $2, "done", "-" }'
}

# Runs of unattended-upgrades that had something to install. Its log has local times.
print_updates() {
  local log=/var/log/unattended-upgrades/unattended-upgrades.log day time outcome packages at
  zcat -f "$log.1.gz" "$log" 2>/dev/null | tail -n 4000 | awk -v since="$(date -d "@$events_since" '+%F %T')" '
    / INFO Packages that will be upgraded: / { when = $1 " " substr($2, 1, 8); packages = $0; sub(/.*will be upgraded: */, "", packages) }
    / INFO All upgrades installed/ { outcome = "done" }
    / ERROR Installing the upgrades failed/ { outcome = "failed" }
    outcome != "" { if (when >= since && packages != "") print when, outcome, packages; outcome = when = packages = "" }
  ' | while read -r day time outcome packages; do
    at=$(date -d "$day $time" +%s) || continue
    packages=${packages// /, }
    if [[ $outcome == failed ]]; then packages+='. /var/log/unattended-upgrades says why'; fi
    echo "updates $at updates-$at $outcome - $packages."
  done
}

# A certificate was renewed by its timer if that named the site soon after. One that cannot be renewed is one event, however often it is tried.
# Reading a site takes some small programs, so only those with an event are read, at most as many as there are events.
print_renewals() {
  local attempts at file folder domain left=30
  attempts=$(read_journal -u gatehouse-certificates.service -n 2000 --output-fields=MESSAGE |
    awk "$journal_fields"'field["MESSAGE"] ~ /^[a-z0-9]+:( |$)/ { print seconds, substr(field["MESSAGE"], 1, index(field["MESSAGE"], ":") - 1) }')
  find "$sites_home"/*/certificate -maxdepth 1 \( -name served.pem -o -name failure \) -newermt "@$events_since" -printf '%Ts %p\n' | sort -rn |
    while read -r at file; do
      folder=${file%/certificate/*}
      [[ $file == */failure ]] || was_attempted "${folder##*/}" "$at" || continue
      ((SECONDS < events_until && left-- > 0)) || break
      name_paths "${folder##*/}"
      domain=$(sed -n 's/^domain //p' "$folder/site")
      name_certificate
      has_ssl || continue
      if [[ $file == */failure ]]; then
        echo "renewal $at renewal-failed-$name-$(stat -c %Y "$certificate") failed $domain $(cut -f 2 "$file" | head -n 1)"
      else
        echo "renewal $at renewal-$name-$at done $domain"
      fi
    done
}

# was_attempted NAME SECONDS: whether the timer named the site then, or within a quarter of an hour.
was_attempted() {
  local each site
  [[ $attempts == *" $1"* ]] || return 1
  while read -r each site; do
    [[ $site != "$1" ]] || ((each < $2 || each > $2 + 900)) || return 0
  done <<<"$attempts"
  return 1
}

# The readers run at once: they mostly wait for the journal.
tell_events() {
  local event number=0
  ((SECONDS < events_until)) || return 0
  { cat <(print_backups) <(print_boots) <(print_updates) <(print_renewals); } 2>/dev/null | sort -k 2,2n | tail -n 30 | while IFS= read -r event; do
    number=$((number + 1))
    say "event_$number" "$event"
  done
}
