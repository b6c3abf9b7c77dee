# The programs that accept connections on this server.

# PROTOCOL, PORT, ADDRESS and PROGRAM of every listening socket, one per line.
sockets() {
  ss -H -tulnp | awk '{
    port = address = $5
    sub(/.*:/, "", port); sub(/:[^:]*$/, "", address); sub(/%.*/, "", address); gsub(/[][]/, "", address)
    program = "a program"
    if (match($0, /\(\("[A-Za-z0-9._-]+"/)) program = substr($0, RSTART + 3, RLENGTH - 4)
    print $1, port, address, program
  }'
}

# PROTOCOL, PORT and PROGRAM of sockets reachable from outside. DHCP and multicast replies need no rule.
open_ports() {
  sockets | awk '$3 !~ /^(127\.|::1$|::ffff:127\.|22[4-9]\.|23[0-9]\.|ff)/ && !($1 == "udp" && ($2 == 68 || $2 == 546)) {
    if (!seen[$1, $2]++) print $1, $2, $4
  }' | sort -k 1,1 -k 2,2n
}

# program_on PORT...: the product name of the first program that listens on one of the TCP ports.
program_on() {
  local port program
  for port; do
    program=$(sockets | awk -v port="$port" '$1 == "tcp" && $2 == port && !found { found = 1; print $4 }')
    if [[ -n $program ]]; then product_of "$program"; return; fi
  done
}

# Names of installed packages, including partly installed ones.
installed() {
  { dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' "$@" 2>/dev/null || true; } | awk '$1 !~ /^.[nc]/ { print $2 }' | sort -u
}

is_installed() { [[ -n $(installed "$1") ]]; }

first_installed() { product_of "$(installed "$@" | sed -n 1p)"; }

# kept_because FINDING PRODUCT OTHERWISE: the product itself may be installed without Debian's package.
kept_because() {
  case $1 in
    '') ;;
    "$2 "*) echo "$1; it is left as it is." ;;
    *) echo "$1; $3." ;;
  esac
}

# product_of PACKAGE-OR-PROGRAM
product_of() {
  case $1 in
    apache2*) echo Apache ;;
    nginx*) echo nginx ;;
    mariadb*) echo MariaDB ;;
    mysql* | default-mysql*) echo MySQL ;;
    percona*) echo 'Percona Server' ;;
    exim*) echo Exim ;;
    postfix* | master) echo Postfix ;;
    *) echo "$1" ;;
  esac
}
