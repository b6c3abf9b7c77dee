# Whether the server's own firewall keeps https out. What is in front of the server cannot be asked from here.
source facts/web-ports.bash

# closed_ports_reason: a sentence if the rules of this server refuse everybody at a port that SSL needs, else nothing.
closed_ports_reason() {
  local port
  for port in 80 443; do
    iptables_may_accept "$port" && nftables_may_accept "$port" && continue
    case $port in
      80) echo 'The firewall of this server blocks port 80, at which the certificate authority asks. Allow it on the page Firewall.' ;;
      443) echo 'The firewall of this server blocks port 443, so addresses that begin with https:// would not answer. Allow it on the page Firewall.' ;;
    esac
    return
  done
}
