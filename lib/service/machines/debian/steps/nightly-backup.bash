#!/bin/bash
# Put here by Gatehouse. Backs this server up: configuration, crontabs, sites and all databases, in one proven archive.
set -euo pipefail
umask 077
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8
store=/var/backups/gatehouse
work=$store/.unfinished
scratch=$work/scratch
kept=7

install -d -m 700 "$store"
exec 9>"$store/.lock"
flock -n 9 || { echo 'Another backup is running.' >&2; exit 1; }
rm -rf "$work"
install -d -m 700 "$work"

database=
end_scratch() {
  [[ -z $database ]] || { kill "$database" && wait "$database"; } 2>/dev/null || true
  database=
}
trap 'end_scratch; rm -rf "$work"' EXIT

# As much room as the newest backup took and a quarter more, and as the databases take once more while they are proven.
newest=$(find "$store" -maxdepth 1 -name 'backup-*.tar.gz' | sort | tail -n 1)
if [[ -n $newest ]]; then
  needed=$(($(stat -c %s "$newest") * 5 / 4))
  [[ ! -d /var/lib/mysql ]] || needed=$((needed + $(du -sb /var/lib/mysql | cut -f1)))
  free=$(($(stat -f -c '%a * %S' "$store")))
  ((free > needed)) || { echo "Not enough room for a backup: $free bytes free, $needed needed." >&2; exit 1; }
fi

# Loads the dump into a database server of its own, which nobody reaches and which is gone afterwards. Whoever asks for its
# outcome switches errexit off for all of it: each step says itself that it failed.
prove_dump() {
  local tries=0
  mariadb-install-db --no-defaults --user=root --datadir="$scratch" --skip-test-db >"$work/scratch.log" 2>&1 || return 1
  mariadbd --no-defaults --user=root --datadir="$scratch" --socket="$scratch/socket" --pid-file="$scratch/pid" --skip-networking \
    --innodb-buffer-pool-size=64M --innodb-flush-log-at-trx-commit=0 9>&- >>"$work/scratch.log" 2>&1 &
  database=$!
  until mariadb-admin --no-defaults --socket="$scratch/socket" ping >/dev/null 2>&1; do
    kill -0 "$database" 2>/dev/null && ((++tries < 600)) || { tail -n 3 "$work/scratch.log" >&2; return 1; }
    sleep 0.1
  done
  gzip -dc "$work/databases.sql.gz" | mariadb --no-defaults --socket="$scratch/socket" || return 1
  end_scratch
  rm -rf "$scratch"
}

parts=() proofs=(etc/passwd)
for folder in etc var/spool/cron var/www srv home; do
  [[ ! -d /$folder ]] || parts+=("$folder")
done
if command -v mariadb-dump >/dev/null; then
  mariadb-dump --all-databases --single-transaction --quick --routines --events --triggers | gzip >"$work/databases.sql.gz"
  gzip -dc "$work/databases.sql.gz" | tail -n 1 | grep -q '^-- Dump completed' || { echo 'The dump of the databases is not whole.' >&2; exit 1; }
  prove_dump || { echo 'The dump of the databases cannot be loaded again.' >&2; exit 1; }
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
name=backup-$(date -u +%Y-%m-%d-%H%M%S).tar.gz
(cd "$work" && sha256sum archive.tar.gz | sed "s/archive.tar.gz$/$name/") >"$work/proven"
# Of the same moment as its archive: one that was replaced or written to since is not the one that was proven.
touch -r "$archive" "$work/proven"
sync "$archive" "$work/proven"
mv "$work/proven" "$store/.$name.proven"
mv "$archive" "$store/$name"
sync "$store"

# Only now that a newer one is proven may the oldest go.
find "$store" -maxdepth 1 -name 'backup-*.tar.gz' | sort -r | tail -n +$((kept + 1)) | xargs -r -d '\n' rm -f --
for proof in "$store"/.backup-*.proven; do
  file=${proof##*/.}
  [[ -e $store/${file%.proven} ]] || rm -f -- "$proof"
done
