#!/bin/sh
# The command of a release: runs the Node inside it, so that the machine needs none. GATEHOUSE_NODE names another one.
here=$(dirname -- "$(readlink -f -- "$0")")
# Not by way of this release's folder, which the undoing of the upgrade to it removes.
root=$(dirname -- "$(dirname -- "$here")")
# An interrupted upgrade is finished or undone before anything starts, by the release that can: docs/decisions/079-upgrades.md.
case "${1-}" in
  up | portal | service)
    if [ -L "$root/undo" ] && [ -z "${GATEHOUSE_RECOVERED-}" ]; then
      (unset NODE_CHANNEL_FD && exec "$root/undo/gatehouse" upgrade --recover) || exit
      GATEHOUSE_RECOVERED=1 exec "$root/current/gatehouse" "$@"
    fi
    ;;
  upgrade)
    if [ "${2-}" = --recover ] && [ -L "$root/current" ]; then
      # Units ask before each start, which nothing to do must not delay.
      [ -L "$root/undo" ] || exit 0
      # Nor may it delay the start that the unit of an upgrade waits for: that unit settles what comes of it.
      if [ -z "${3-}" ] && grep -qs '"step": "starting"' "$root/upgrade.json"; then
        for unit in /sys/fs/cgroup/system.slice/gatehouse-upgrade-*.service; do
          [ ! -d "$unit" ] || exit 0
        done
      fi
      [ "$(readlink -f -- "$root/undo")" = "$here" ] || exec "$root/undo/gatehouse" "$@"
    fi
    ;;
esac
exec "${GATEHOUSE_NODE:-$here/node/bin/node}" "$here/lib/release/command.mjs" "$@"
