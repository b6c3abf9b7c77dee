#!/bin/sh
# The command of a release: runs the Node inside it, so that the machine needs none. GATEHOUSE_NODE names another one.
here=$(dirname -- "$(readlink -f -- "$0")")
exec "${GATEHOUSE_NODE:-$here/node/bin/node}" "$here/lib/release/command.mjs" "$@"
