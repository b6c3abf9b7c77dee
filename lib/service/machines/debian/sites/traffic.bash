# How many requests a site got in each of the last 24 hours, counted here, so that nothing about visitors leaves the server. Values: the site's id,
# name and domain, and how many bytes of the log are read at most. Prints `from`, when the first hour began; `hour` for each, oldest first, with its
# requests, those that ended with 4xx, and with 5xx; `cut` if the log was too long; `answer` with the status and the milliseconds until the first
# byte of a request by the server itself. Such requests do not count. Exit code 67: the site is not here.
source facts/log-end.bash
source sites/apache.bash
source sites/certificate.bash
source sites/count-requests.bash
source sites/site.bash

mapfile -d '' -t values
name_site "${values[0]}" "${values[1]}" "${values[2]}" ''
is_ours || exit 67
most=${values[3]}
export LC_ALL=C

tell_answer() {
  local scheme=http port=80 address status seconds
  command -v curl >/dev/null || return 0
  name_certificate
  ! has_ssl || scheme=https port=443
  address=$(apache_addresses | head -n 1)
  read -r status seconds < <(curl -q -k -s -o /dev/null --noproxy '*' --max-time 5 -A Gatehouse --resolve "$domain:$port:$address" \
    -w '%{http_code} %{time_starttransfer}\n' "$scheme://$domain/" </dev/null)
  printf 'answer\t%d\t%.0f\n' "$((10#${status:-0}))" "$(awk -v seconds="${seconds:-0}" 'BEGIN { print seconds * 1000 }')"
}

# print_lines FILE: its end, and more than that of the one before it.
print_lines() {
  local size why before=0
  open_log "$1" "$logs" || return 0
  exec 6<&5
  size=$(stat -L -c %s /proc/self/fd/6)
  if ((size < most)) && open_log "$1.1" "$logs"; then
    before=$(stat -L -c %s /proc/self/fd/5)
    tail -c "$((most - size))" <&5
  fi
  tail -c "$most" <&6
  ((size + before <= most)) || printf 'gatehouse: cut\n'
}

now=$(date +%s)
hour=$((now - 10#$(date -d "@$now" +%M) * 60 - 10#$(date -d "@$now" +%S)))
printf 'from\t%d\n' "$((hour - 23 * 3600))"
print_lines "$logs/access.log" | count_requests "$(hour_names "$hour")" "$(apache_addresses) ::1"
tell_answer
