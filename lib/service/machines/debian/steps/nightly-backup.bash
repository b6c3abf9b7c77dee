#!/bin/bash
# Put here by Gatehouse. Backs this server up: configuration, crontabs, sites and all databases, in one proven archive.
set -euo pipefail
umask 077
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8
store=/var/backups/gatehouse
work=$store/.unfinished
kept=7

install -d -m 700 "$store"
exec 9>"$store/.lock"
flock -n 9 || { echo 'Another backup is running.' >&2; exit 1; }
rm -rf "$work"
install -d -m 700 "$work"
trap 'rm -rf "$work"' EXIT

# As much room as the newest backup took, and a quarter more.
newest=$(find "$store" -maxdepth 1 -name 'backup-*.tar.gz' | sort | tail -n 1)
if [[ -n $newest ]]; then
  needed=$(($(stat -c %s "$newest") * 5 / 4))
  free=$(($(stat -f -c '%a * %S' "$store")))
  ((free > needed)) || { echo "Not enough room for a backup: $free bytes free, $needed needed." >&2; exit 1; }
fi

parts=() proofs=(etc/passwd)
for folder in etc var/spool/cron var/www srv home; do
  [[ ! -d /$folder ]] || parts+=("$folder")
done
if command -v mariadb-dump >/dev/null; then
  mariadb-dump --all-databases --single-transaction --quick --routines --events --triggers | gzip >"$work/databases.sql.gz"
  gzip -dc "$work/databases.sql.gz" | tail -n 1 | grep -q '^-- Dump completed' || { echo 'The dump of the databases is not whole.' >&2; exit 1; }
  parts+=(-C "$work" databases.sql.gz) proofs+=(databases.sql.gz)
fi

# 1: a file changed while it was read, which is no fault of the archive.
archive=$work/archive.tar.gz
tar -C / --one-file-system --warning=no-file-changed --warning=no-file-ignored -czf "$archive" "${parts[@]}" || (($? == 1))

# Proven: it unpacks to its end, and what must be in it is.
list=$(tar -tzf "$archive")
for wanted in "${proofs[@]}"; do
  grep -qxF "$wanted" <<<"$list" || { echo "The archive lacks $wanted." >&2; exit 1; }
done
sync "$archive"
mv "$archive" "$store/backup-$(date -u +%Y-%m-%d-%H%M%S).tar.gz"
sync "$store"

# Only now that a newer one is proven may the oldest go.
find "$store" -maxdepth 1 -name 'backup-*.tar.gz' | sort -r | tail -n +$((kept + 1)) | xargs -r -d '\n' rm -f --
