# Requests in the access log of a site, counted by hour.

# hour_names SECONDS: the 24 hours that end with the one that began then, oldest first, as the log names them in the server's time zone.
hour_names() {
  local back
  for ((back = 23; back >= 0; back--)); do date -d "@$(($1 - back * 3600))" '+%d/%b/%Y:%H %z'; done
}

# count_requests HOURS ADDRESSES <LOG: a line `hour` for each, with the requests of others than these addresses, those that ended with 4xx, and with 5xx;
# then `cut` if the log has the line `gatehouse: cut` and begins within these hours. A request ends with a quote that has no backslash before it, and then its status: whoever asks
# cannot write one into the line.
count_requests() {
  awk -v names="$1" -v own="$2" '
    BEGIN {
      all = split(names, name, "\n"); for (i = 1; i <= all; i++) place[name[i]] = i
      count = split(own, address, /[ \n]+/); for (i = 1; i <= count; i++) ours[address[i]] = 1
    }
    $0 == "gatehouse: cut" { cut = 1; next }
    !match($0, /\[[0-9][0-9]\/[A-Z][a-z][a-z]\/[0-9][0-9][0-9][0-9]:[0-9:]+ [+-][0-9][0-9][0-9][0-9]\] "/) { next }
    {
      at = substr($0, RSTART + 1, 14) " " substr($0, RSTART + RLENGTH - 8, 5)
      if (!lines++) within = at in place
      if (!(at in place) || $1 in ours) next
      here = place[at]; requests[here]++
      rest = substr($0, RSTART + RLENGTH)
      if (!match(rest, /(^|[^\\])" [0-9][0-9][0-9] /)) next
      status = substr(rest, RSTART + RLENGTH - 4, 1)
      if (status == 4) client[here]++
      if (status == 5) server[here]++
    }
    END {
      for (i = 1; i <= all; i++) printf "hour\t%d\t%d\t%d\n", requests[i], client[i], server[i]
      if (cut && within) print "cut"
    }'
}
