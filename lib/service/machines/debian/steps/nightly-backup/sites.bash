# Backs up each site of this server, apart from the server itself, after what has expired is deleted; with `expiry`, nothing more is done.
# Prints the domains of those that failed. Work on the same site waits meanwhile, and so do other archives of sites.
source host/program.bash
source sites/make-backup.bash
source sites/replaced.bash
source sites/site.bash

back_up_site() {
  local said code=0
  { open_site_lock && exec 8>"$archives_lock"; } || return
  { flock -w 600 7 && flock -w 600 8; } || { echo "$domain: Other work on the site, or another backup, takes too long." >&2; exec 7>&- 8>&-; return 1; }
  # The site may have been deleted meanwhile.
  [[ -e $settings/site ]] || return 0
  ! is_interrupted || { echo "$domain: Work on the site was interrupted, and is taken back before the next work on a site of this server." >&2; return 1; }
  said=$(
    set -Eeuo pipefail
    make_site_backup nightly 2>&1 | cut -b -4096
  )
  code=$?
  if ((code != 0)); then (sweep_backup) &>/dev/null; fi
  exec 7>&- 8>&-
  echo "$domain: $said" >&2
  return "$code"
}

# expire_within SECONDS: a restore may be about to keep another one.
expire_within() {
  local code=0
  exec 8>"$sites_lock"
  if flock -w "$1" 8; then expire_replaced; else code=1; fi
  exec 8>&-
  return "$code"
}

set +e
trap - EXIT
[[ -d $sites_home ]] || exit 0
install -d -m 700 "${sites_lock%/*}"
(run_host_program <<<'{"protocol": 1, "job": "expire-backups"}') >&2
late=''
# While a site is being changed for long, the backups of others come first.
if [[ ${1-} == expiry ]]; then
  expire_within 20
  exit 0
fi
expire_within 0 || late=yes
for each in "$sites_home"/*/site; do
  [[ -e $each ]] || continue
  folder=${each%/site}
  name_site "$(sed -n 's/^id //p' "$each")" "${folder##*/}" "$(sed -n 's/^domain //p' "$each")" ''
  # A staging copy can be pulled again.
  [[ -z $live_name ]] || continue
  # Not in a condition, which would disable set -e within.
  back_up_site
  code=$?
  ((code == 0)) || echo "$domain"
done
[[ -z $late ]] || expire_within 600
exit 0
