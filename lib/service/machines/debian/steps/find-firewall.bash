# Whether this server already has a firewall of any kind.
source facts/web-ports.bash
source steps/firewall.bash
source steps/listeners.bash

firewall_packages=(iptables-persistent netfilter-persistent firewalld shorewall shorewall6 shorewall-lite ferm arno-iptables-firewall fwbuilder)

find_firewall() {
  local there
  if is_installed ufw && { is_switched_on || [[ $(ufw show added) == *$'\nufw '* ]]; }; then
    if is_switched_on; then there='UFW is the firewall here; its rules are'; else there='UFW has rules here and is switched off; both are'; fi
    echo "$there left as they are."
    return
  fi
  there=$(first_installed "${firewall_packages[@]}")
  [[ -n $there || $(systemctl is-enabled nftables 2>/dev/null) != enabled ]] || there=nftables
  [[ -z $there ]] || there="$there is the firewall here"
  [[ -n $there ]] || { ! has_packet_rules || there='There are packet filter rules here'; }
  [[ -n $there ]] || { ! is_router || there='This server forwards traffic'; }
  [[ -z $there ]] || echo "$there; UFW is not set up."
}

remark_firewall() { tell_closed_web_ports; }

# Docker and fail2ban add rules of their own next to any firewall's, so those do not count.
has_packet_rules() { [[ -n $(iptables_rules; nftables_rules) ]]; }

iptables_rules() {
  local program
  for program in iptables ip6tables iptables-legacy ip6tables-legacy; do
    ! command -v "$program-save" >/dev/null || "$program-save" 2>/dev/null || true
  done | grep -E '^-A|^:[A-Z]+ DROP' | grep -vE 'f2b-|DOCKER|docker0|br-[0-9a-f]{12}|^:FORWARD DROP' || true
}

# Skips the tables of iptables, which are read above.
nftables_rules() {
  local family table
  command -v nft >/dev/null || return 0
  nft list tables 2>/dev/null | while read -r _ family table; do
    [[ ! "$family $table" =~ ^ip6?\ (filter|nat|mangle|raw|security)$ || -z $(command -v iptables) ]] || continue
    [[ ! $table =~ ^(f2b-table|docker-.*|io\.systemd\.nat)$ ]] || continue
    nft list table "$family" "$table" | awk '/^\t\t[^}]/ && (!/^\t\ttype / || /policy drop/)'
  done
}

is_router() {
  ! is_installed docker.io && ! is_installed docker-ce && ! is_installed podman || return 1
  grep -qs 1 /proc/sys/net/ipv4/ip_forward /proc/sys/net/ipv6/conf/all/forwarding
}
