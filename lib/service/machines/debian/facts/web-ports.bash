# Whether a firewall that Gatehouse left unchanged blocks the web server it installed. A rule that cannot be parsed counts as open.

# Prints a space and a sentence if the rules block web ports, else nothing. Only IPv4 is checked: rules are often written for it alone.
tell_closed_web_ports() {
  local port closed=() version=''
  grep -qsE '^# part web (ours|begun)' /etc/gatehouse/manifest || return 0
  for port in 80 443; do
    { iptables_may_accept "$port" && nftables_may_accept "$port"; } || closed+=("$port")
  done
  ((${#closed[@]})) || return 0
  [[ -z $(ip -6 -o addr show scope global 2>/dev/null) ]] || version=' over IPv4'
  if grep -qsix 'ENABLED=yes' /etc/ufw/ufw.conf; then
    echo " The rules block ports ${closed[*]}$version; allow them on the Firewall page."
  else
    echo " The rules block ports ${closed[*]}$version; add rules that allow them."
  fi | if ((${#closed[@]} == 2)); then sed 's/80 443/80 and 443/'; else sed 's/ports/port/; s/them/it/'; fi
}

iptables_may_accept() {
  local program
  for program in iptables iptables-legacy; do
    ! command -v "$program-save" >/dev/null || "$program-save" 2>/dev/null | may_accept "$1" || return 1
  done
}

# may_accept PORT <RULES from iptables-save: follows the first packet of a connection from outside through the chains.
may_accept() {
  awk -v port="$1" '
    function holds(list,   ranges, ends, i, n) {
      n = split(list, ranges, ",")
      for (i = 1; i <= n; i++) {
        if (split(ranges[i], ends, ":") == 1) ends[2] = ends[1]
        if (port + 0 >= ends[1] + 0 && port + 0 <= ends[2] + 0) return 2
      }
      return 0
    }
    # Whether the rule matches such a packet: 0 no, 1 maybe, 2 yes. Sets target.
    function fits(rule,   word, n, i, no, is, least) {
      n = split(rule, word, " ")
      least = 2
      for (i = 3; i <= n && word[i] !~ /^-[jg]$/; i++) {
        no = 0
        if (word[i] == "!") { no = 1; i++ }
        is = 1
        if (word[i] ~ /^(-m|--comment)$/) { i++; continue }
        else if (word[i] == "-p") is = word[++i] == "tcp" ? 2 : 0
        else if (word[i] ~ /^--dports?$/) is = holds(word[++i])
        else if (word[i] == "-i") is = word[++i] == "lo" ? 0 : 1
        else if (word[i] ~ /^--(ct)?state$/) is = ("," word[++i] ",") ~ /,NEW,/ ? 2 : 0
        else if (word[i] == "--dst-type") is = word[++i] == "LOCAL" ? 2 : 0
        else if (word[i] !~ /^-/) continue
        if (no && is != 1) is = 2 - is
        if (is < least) least = is
      }
      target = word[i + 1]
      return least
    }
    function walk(chain, depth,   i, is, to, end) {
      for (i = 1; i <= count[chain] && depth < 50; i++) {
        is = fits(rules[chain, i])
        to = target
        if (is == 0) continue
        if (to ~ /^(ACCEPT|NFQUEUE)$/) return "open"
        if (to ~ /^(DROP|REJECT)$/ && is == 2) return "shut"
        if (to == "RETURN" && is == 2) return ""
        end = walk(to, depth + 1)
        if (end == "open" || (end == "shut" && is == 2)) return end
      }
      return depth < 50 ? "" : "open"
    }
    { gsub(/"([^"\\]|\\.)*"/, "text") }
    /^[*]/ { filter = $1 == "*filter" }
    filter && /^:INPUT / { policy = $2 }
    filter && /^-A / { rules[$2, ++count[$2]] = $0 }
    END {
      end = walk("INPUT", 0)
      exit end == "shut" || (end == "" && policy == "DROP")
    }'
}

# Skips the tables of iptables, which are checked above. All others have to accept the packet.
nftables_may_accept() {
  local family table
  command -v nft >/dev/null || return 0
  while read -r _ family table; do
    [[ $family =~ ^(ip|inet)$ && "$family $table" != 'ip filter' ]] || continue
    nft list table "$family" "$table" | table_may_accept "$1" || return 1
  done < <(nft list tables 2>/dev/null)
}

# table_may_accept PORT <TABLE from nft list: false if the input chain drops packets and no rule of any chain accepts the port.
table_may_accept() {
  awk -v port="$1" '
    function holds(list,   ranges, ends, i, n) {
      n = split(list, ranges, ",")
      for (i = 1; i <= n; i++) {
        if (split(ranges[i], ends, "-") == 1) ends[2] = ends[1]
        if (port + 0 >= ends[1] + 0 && port + 0 <= ends[2] + 0) return 1
      }
      return 0
    }
    function is_for_others(   list) {
      if (/[ \t](udp|icmp|icmpv6|igmp) / || /(protocol|l4proto|nexthdr) ([{] )?(udp|icmp|ipv6-icmp)[a-z0-9, -]*[}]? (counter .*)?accept/ || /iif(name)? text_lo/) return 1
      if (/ct state [a-z,{ ]+/ && !/ct state vmap/ && !/ct state [a-z,{ ]*(new|untracked)/ && !/ct state !=/) return 1
      if (/ct state vmap/ && !/(new|untracked) : /) return 1
      if (!match($0, /tcp dport [{]?[ 0-9,-]*[0-9]/)) return 0
      list = substr($0, RSTART + 10, RLENGTH - 10)
      gsub(/[{ ]/, "", list)
      return !holds(list)
    }
    { gsub(/"lo"/, "text_lo"); gsub(/"[^"]*"/, "text") }
    /^\t(chain|set|map) / { inside = $1 == "chain"; first = 0 }
    /^\t\ttype .* hook / { inside = first = / hook input /; if (first && /policy drop/) shut = 1 }
    first && /^\t\t(drop|reject)/ { shut = 1 }
    inside && /(accept|queue|vmap|@)/ && !/^\t\ttype / && !is_for_others() { open = 1 }
    END { exit shut && !open }'
}
