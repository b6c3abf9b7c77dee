# The backups of sites: archives in one folder, each with its hash beside it. A backup belongs to the site with its domain, so one that is
# created again has those from before. Name: DOMAIN-DATE-TIME-REASON.tar.zst, or .tar.gz where zstd is missing.
source sites/site.bash

backups_home=/var/backups/gatehouse-sites
downloads_home=$backups_home/.downloads
# Archives say how they are laid out. One of a higher number is refused.
backup_format=2
nightly_backups=7
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

# Keeps the newest of those that are made every night. It is called when a new one was verified.
rotate_backups() {
  local each count=0
  while IFS= read -r each; do
    [[ $(reason_of "$each") == nightly ]] || continue
    ((++count <= nightly_backups)) || remove_backup "$each"
  done < <(list_backups)
}

# unless_changing FUNCTION: not while a site is changed, because a restore must not lose what it reads, or is about to keep another one. The next
# night does it.
unless_changing() {
  (
    exec 6>"$sites_lock"
    ! flock -n 6 || "$1"
  )
}

# Copies that were made before something else are kept for seven days, of all sites; so are nightly ones of sites that are gone.
expire_backups() {
  local path each here
  here=$(sed -n 's/^domain //p' "$sites_home"/*/site 2>/dev/null || true)
  while IFS= read -r path; do
    each=${path##*/}
    [[ $each =~ ^(.+)-$backup_form$ ]] || continue
    case ${BASH_REMATCH[2]} in
      manual) continue ;;
      nightly) ! grep -xF -- "${BASH_REMATCH[1]}" <<<"$here" >/dev/null || continue ;;
    esac
    remove_backup "$each"
  done < <(find "$backups_home" -maxdepth 1 -type f ! -name '.*' -mmin +10080 2>/dev/null)
  # The server deletes an archive that was to be downloaded by itself; after a boot, nothing does.
  find "$downloads_home" -mindepth 1 -mmin +15 -delete 2>/dev/null || true
}

# compress_as EXTENSION
compress_as() { if [[ $1 == zst ]]; then zstd -q -3 -T0; else gzip -6; fi; }
expand_as() { if [[ $1 == zst ]]; then zstd -q -dc; else gzip -dc; fi; }
