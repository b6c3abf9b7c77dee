# The facts of sites. Values: for each site its name and its domain. Prints for each that is here its name and `facts`, bytes used or
# nothing, `answers` if Apache answers for the domain, and `on` if SSL is; then about a certificate its name and `certificate`, when it was
# issued, when it expires, and why it was not renewed; `covers` and a name; `lacks`, a name, and why. Some sites are asked at once, and
# one that takes too long is left out.
mapfile -d '' -t values

tell_facts() {
  local files data used='' answers='' ssl=''
  name_site '' "$1" "$2" ''
  name_certificate
  [[ -e $settings/site ]] || return 0
  files=$(timeout 15 du -sB1 -- "$home" 2>/dev/null | cut -f 1)
  data=$(sql 2>/dev/null <<<"SELECT COALESCE(SUM(data_length + index_length), 0) FROM information_schema.tables WHERE table_schema = '$name'")
  [[ ! $files =~ ^[0-9]+$ || ! $data =~ ^[0-9]+$ ]] || used=$((files + data))
  [[ $(ask_apache "$domain" / | head -c 5) != HTTP/ ]] || answers=answers
  ! has_ssl || ssl=on
  printf '%s\tfacts\t%s\t%s\t%s\n' "$name" "$used" "$answers" "$ssl"
  [[ ! -s $certificate ]] || tell_certificate
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

for ((at = 0; at < ${#values[@]} && SECONDS < 20; at += 2)); do
  while (($(jobs -rp | wc -l) >= 8)); do wait -n || true; done
  tell_facts "${values[at]}" "${values[at + 1]}" </dev/null &
done
wait
