# Apache, whoever set it up. A site only adds files, and no reload happens with a configuration that Apache refuses.

# apache_complaint: what Apache finds wrong with its whole configuration; nothing if it is valid.
apache_complaint() {
  local said
  said=$(apache2ctl configtest 2>&1) && return
  grep -vE '^AH0055[78]|^Action .* failed|^The Apache error log|^Syntax OK' <<<"$said" | head -n 2 | tr '\n' ' ' | sed 's/ *$//'
}

require_accepted() {
  local complaint
  complaint=$(apache_complaint)
  [[ -z $complaint ]] || { echo "Apache refuses the configuration: $complaint"; return 1; }
}

# Once it is accepted. Requests that are running are answered to their end. As apachectl does it, which would first read the whole configuration twice more.
apply_configuration() { systemctl kill -s USR1 --kill-who=main apache2 2>/dev/null || { echo 'Apache is not running.'; return 1; }; }

reload_apache() { require_accepted && apply_configuration; }

# virtual_hosts: Apache's own list of them, of its modules, and as whom it runs; false if it refuses the configuration. It leaves out the aliases of
# one that is alone at its address, so each of these gets a neighbour, for the list alone.
virtual_hosts() {
  local listed each neighbours=()
  listed=$(apache2ctl -t -D DUMP_VHOSTS -D DUMP_MODULES -D DUMP_RUN_CFG 2>/dev/null) || return
  while IFS= read -r each; do
    neighbours+=(-c "<VirtualHost $each>" -c 'ServerName gatehouse.invalid' -c '</VirtualHost>')
  done < <(sed -n 's,^\([^ ]*:[0-9*]*\)  *[^ ]* (/.*,\1,p' <<<"$listed")
  if ((${#neighbours[@]})); then listed=$(apache2ctl -t -D DUMP_VHOSTS -D DUMP_MODULES -D DUMP_RUN_CFG "${neighbours[@]}" 2>/dev/null) || return; fi
  echo "$listed"
}

# served_by NAME <VIRTUAL-HOSTS: the file and line of the one that names it, by name or by wildcard.
served_by() {
  awk -v wanted="$1" '
    function fits(pattern) {
      gsub(/[.]/, "[.]", pattern); gsub(/[*]/, ".*", pattern); gsub(/[?]/, ".", pattern)
      return tolower(wanted) ~ ("^" tolower(pattern) "$")
    }
    match($0, /\(\/[^)]*\)/) { place = substr($0, RSTART + 1, RLENGTH - 2) }
    /namevhost/ { for (i = 1; i < NF; i++) if ($i == "namevhost" && fits($(i + 1)) && !done++) print place }
    /^ +(wild )?alias / { if (fits($NF) && !done++) print place }'
}

# ask_apache NAME PATH: the status line of the answer of the server itself, as somebody outside would get it.
ask_apache() {
  local address line
  for address in $(apache_addresses); do
    exec 4<>"/dev/tcp/$address/80" || continue
    printf 'GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n' "$2" "$1" >&4
    timeout 5 cat <&4
    exec 4>&-
    return
  done 2>/dev/null
  return 1
}

# The address that others reach this server at, then its own.
apache_addresses() { { ip -4 route get 192.0.2.1 2>/dev/null | sed -n 's/.* src \([0-9.]*\).*/\1/p'; hostname -I | tr ' ' '\n' | grep -F .; echo 127.0.0.1; } | awk 'NF && !seen[$1]++'; }
