#!/bin/bash
# The lab's name server answers immediately that a name is unknown. Without it each look-up of a host takes ten seconds.
set -eu
read -r address
ip link set lo up
ip addr add "$address/24" dev eth0
ip link set eth0 up
exec dnsmasq --no-daemon --conf-file=/dev/null --pid-file= --no-resolv --no-hosts --bind-interfaces --listen-address="$address" \
  --except-interface=lo --local=/#/
