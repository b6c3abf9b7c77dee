#!/bin/sh
# install.sh [prepare]: creates the two users, installs the units and starts them. Run as root; it is safe to run again.
# `prepare` starts nothing, so that a backup can be restored first.
# Gatehouse is in /opt/gatehouse, owned by root and prepared with `npm run ready`; the portal's settings are in
# /etc/gatehouse/portal.env (see docs/running.md).
set -eu
umask 077
here=$(dirname "$(readlink -f "$0")")

for half in service portal; do
  id -u "gatehouse-$half" >/dev/null 2>&1 ||
    useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin "gatehouse-$half"
  install -m 644 "$here/gatehouse-$half.service" /etc/systemd/system/
done
install -d -m 700 /etc/gatehouse
systemctl daemon-reload
[ "${1-}" != prepare ] || exit 0
systemctl enable --quiet gatehouse-service gatehouse-portal
systemctl start gatehouse-service

# The service's own command writes the API key to a file that only root can open; systemd passes it to the portal's unit.
if [ ! -s /etc/gatehouse/service-key ]; then
  "$here/as.sh" service node --import ./lib/launcher/require-ready.mjs --import tsx lib/service/keys.ts create --account portal >/etc/gatehouse/service-key.new
  mv /etc/gatehouse/service-key.new /etc/gatehouse/service-key
fi
systemctl start gatehouse-portal
