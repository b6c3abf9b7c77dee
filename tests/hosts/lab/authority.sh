#!/bin/bash
# authority.sh: an ACME certificate authority and the name server that it asks. It is the first process of a separate pid and network
# namespaces, so both end together. Lines on stdin, in this order: address, IPv6 address, folder with pebble's configuration
set -eu
read -r address; read -r address6; read -r folder
ip link set lo up
ip addr add "$address/24" dev eth0
ip addr add "$address6/64" dev eth0 nodad
ip link set eth0 up

# It answers only for names that a test adds, and only DNS: validation asks the hosts themselves.
pebble-challtestsrv -dns01 "$address:53" -management "$address:8055" -defaultIPv4 '' -defaultIPv6 '' \
  -http01 '' -https01 '' -tlsalpn01 '' &
# By default pebble waits up to 15 seconds before each validation, refuses 5 % of requests for no reason, and validates only half of the
# names that it has validated before.
PEBBLE_VA_NOSLEEP=1 PEBBLE_WFE_NONCEREJECT=0 PEBBLE_AUTHZREUSE=0 pebble -config "$folder/pebble.json" -dnsserver "$address:53" &
wait -n
