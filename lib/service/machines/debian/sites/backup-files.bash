# The backups of sites: archives in one folder, each with its hash beside it. A backup belongs to the site with its domain, so one that is
# created again has those from before. Name: DOMAIN-DATE-TIME-REASON.tar.zst, or .tar.gz where zstd is missing.
source sites/site.bash

backups_home=/var/backups/gatehouse-sites
downloads_home=$backups_home/.downloads
backup_form='[0-9]{8}-[0-9]{6}-(manual|nightly|restore|push|delete)\.tar\.(zst|gz)'

# is_backup NAME: whether it is one of the site. Only a plain file counts. former_domain: of a deleted site that becomes a new one.
is_backup() {
  local of=${former_domain:-$domain}
  [[ $1 == "$of-"* && ${1#"$of-"} =~ ^$backup_form$ && -f $backups_home/$1 && ! -L $backups_home/$1 ]]
}

# is_last_backup NAME: whether it was made when a site was deleted.
is_last_backup() { [[ $1 =~ ^[a-z0-9].*-$backup_form$ && ${BASH_REMATCH[1]} == delete && -f $backups_home/$1 && ! -L $backups_home/$1 ]]; }

# The names of the site's backups, the newest first.
list_backups() {
  local each
  for each in "$backups_home/$domain"-*; do
    each=${each##*/}
    if is_backup "$each"; then echo "$each"; fi
  done | sort -r
}

reason_of() { sed -E 's/.*-([a-z]+)\.tar\.[a-z]+$/\1/' <<<"$1"; }

# Verified when it was made, and not changed since: its hash has the same time.
is_proven() { [[ -f $backups_home/.$1.proven && $(stat -c %y -- "$backups_home/$1") == "$(stat -c %y -- "$backups_home/.$1.proven")" ]]; }

remove_backup() { rm -f -- "$backups_home/$1" && rm -f -- "$backups_home/.$1.proven"; }

# expand_as EXTENSION
expand_as() { if [[ $1 == zst ]]; then zstd -q -dc; else gzip -dc; fi; }
