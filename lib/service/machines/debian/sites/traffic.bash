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

# Python is on every server that has sites; curl is not.
tell_answer() {
  local scheme=http port=80
  command -v python3 >/dev/null || return 0
  name_certificate
  ! has_ssl || scheme=https port=443
  python3 -I -c '
import http.client, socket, ssl, sys, time

scheme, domain, port, address = sys.argv[1:]
began, status = time.monotonic(), 0
try:
    connected = socket.create_connection((address, int(port)), 5)
    if scheme == "https":
        trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        connected = trusting.wrap_socket(connected, server_hostname=domain)
    connection = http.client.HTTPConnection(domain, timeout=5)
    connection.sock = connected
    connection.request("GET", "/", headers={"User-Agent": "Gatehouse"})
    status = connection.getresponse().status
except (OSError, http.client.HTTPException):
    pass
print("answer", status, round((time.monotonic() - began) * 1000), sep="\t")
' "$scheme" "$domain" "$port" "$(apache_addresses | head -n 1)"
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
