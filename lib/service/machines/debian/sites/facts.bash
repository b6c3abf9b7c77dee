# The facts of sites. Values: how many apps are looked for, for each of them its name and two files that tell; then for each site its name and its
# domain. Prints for each that is here its name and `there`; then its name and
# `facts`, bytes used or nothing, `answers` if Apache answers for the domain, `on` if SSL is, and `on` if email is; `settings`, its version of PHP, the limits of
# uploads and memory in MB, the folder that is served, the versions of PHP to choose from, how many requests are worked on
# and wait, the extensions of PHP, `yes` if the name with www leads to the domain, and for how many seconds browsers insist on https; `mail`, how
# many mails its programs may send in an hour, and until when none is taken because they were sent; `backup`, when the newest one was made; `text`, an app whose
# two files are there, and a part of the first of them in base64; then about a certificate its name and
# `certificate`, when it was issued, when it expires, and why it was not renewed; `covers` and a name; `lacks`, a name, and why. Some sites are
# asked at once. If they take too long, the last ones are only said to be there.
source sites/apache.bash
source sites/app-texts.bash
source sites/backup-files.bash
source sites/certificate.bash
source sites/php-settings.bash
source sites/site.bash

mapfile -d '' -t values
sites_at=$((1 + values[0] * 3))
# A site may make each of its answers slow.
sql_seconds=5

tell_facts() {
  local files data used='' answers='' ssl='' mail='' upload memory workers waiting held newest until=''
  name_site '' "$1" "$2" ''
  name_certificate
  files=$(timeout 10 du -sB1 -- "$home" 2>/dev/null | cut -f 1)
  data=$([[ -n $data_folder ]] && database_bytes "$name" "$data_folder" 2>/dev/null)
  [[ ! $files =~ ^[0-9]+$ || ! $data =~ ^[0-9]+$ ]] || used=$((files + data))
  [[ $(ask_apache "$domain" / | head -c 5) != HTTP/ ]] || answers=answers
  ! has_ssl || ssl=on
  [[ ! -e $settings/mail/on ]] || mail=on
  printf '%s\tfacts\t%s\t%s\t%s\t%s\n' "$name" "$used" "$answers" "$ssl" "$mail"
  read_php_settings
  printf '%s\tsettings\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "$(site_php)" "$upload" "$memory" "$served_folder" "$versions" "$workers" "$waiting" \
    "$(extensions_of "$(site_php)")" "$www_redirect" "$hsts"
  held=$(sed -n "s/^$name\t//p" "$sites_home/.held-mail" 2>/dev/null | head -n 1)
  [[ ! $held =~ ^[0-9]+$ ]] || ((held <= $(date +%s))) || until=$(iso_time "$held")
  printf '%s\tmail\t%s\t%s\n' "$name" "$(hourly_mail)" "$until"
  newest=$(list_backups | sed -n 1p)
  [[ -z $newest ]] || printf '%s\tbackup\t%s\n' "$name" "$(iso_time "$(stat -c %Y -- "$backups_home/$newest")")"
  tell_apps
  [[ ! -s $certificate ]] || tell_certificate
}

# In pieces: a field of a line is read up to 400 characters, and of sites that print at once only short lines stay whole.
tell_apps() {
  local at part root=$home/public${served_folder:+/$served_folder}
  for ((at = 1; at < sites_at; at += 3)); do
    [[ -f $root/${values[at + 1]} && -f $root/${values[at + 2]} ]] || continue
    while IFS= read -r part; do printf '%s\ttext\t%s\t%s\n' "$name" "${values[at]}" "$part"; done < <(read_texts "$root/${values[at + 1]}" | fold -w 384)
  done
}

tell_certificate() {
  local each from to
  read -r from to < <(certificate_times) || return 0
  printf '%s\tcertificate\t%s\t%s\t%s\n' "$name" "$(iso_time "$from")" "$(iso_time "$to")" "$(cut -f 2- "$certificate_notes/failure" 2>/dev/null)"
  for each in $(covered_names); do printf '%s\tcovers\t%s\n' "$name" "$each"; done
  while IFS= read -r each; do
    printf '%s\tlacks\t%s\t%s\n' "$name" "$each" "$(reason_for "$each" "$certificate_notes/left-out" 2>/dev/null)"
  done < <(lacking_names)
}

iso_time() { date -u -d "@$1" +%FT%TZ; }

there=()
for ((at = sites_at; at < ${#values[@]}; at += 2)); do
  [[ -e $sites_home/${values[at]}/site ]] || continue
  printf '%s\tthere\n' "${values[at]}"
  there+=("${values[@]:at:2}")
done
versions=$(php_versions | paste -sd ' ')
data_folder=$(data_home 2>/dev/null)
for ((at = 0; at < ${#there[@]} && SECONDS < 20; at += 2)); do
  while (($(jobs -rp | wc -l) >= 8)); do wait -n || true; done
  # The answer about all others must not be lost because some take their time.
  ((SECONDS < 25)) || break
  tell_facts "${there[at]}" "${there[at + 1]}" </dev/null &
done
wait
