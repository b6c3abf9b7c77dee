# Where mail of sites is forwarded to, over all sites of the server.
source sites/mail.bash
source sites/site.bash

# is_plain_address USER DESTINATION
is_plain_address() { [[ $1 =~ ^[a-z0-9_][a-z0-9_-]*(\.[a-z0-9_-]+)*$ && $2 =~ ^[A-Za-z0-9_+=~\'\&.-]+@[a-z0-9.-]+$ ]]; }

# ADDRESS, a tab, DESTINATION of every site here, whether its email is on or not: it may be switched on later.
all_forwards() {
  local each
  for each in "$sites_home"/*/site; do
    each=${each%/site}
    (name_recorded "${each##*/}" && read_addresses | awk -F '\t' -v domain="$domain" '{ print $1 "@" domain "\t" $2 }')
  done
}

# leads_back ADDRESS DESTINATION: whether mail would come back, over any number of addresses. What follows a plus sign is no part of a name.
leads_back() {
  all_forwards | awk -F '\t' -v address="$1" -v at="$2" '
    { leads_to[$1] = $2 }
    END {
      leads_to[address] = at
      for (steps = 0; steps <= NR + 1; steps++) {
        at = tolower(at)
        sub(/[+][^@]*@/, "@", at)
        if (at == address) exit 0
        if (!(at in leads_to)) exit 1
        at = leads_to[at]
      }
    }'
}

is_address_here() { all_forwards | cut -f 1 | grep -xF -- "${1,,}" >/dev/null; }
is_alias() { sed -n 's/^  ServerAlias //p' /etc/apache2/sites-available/zz-gatehouse-*.conf 2>/dev/null | tr ' ' '\n' | grep -xF -- "$1" >/dev/null; }
