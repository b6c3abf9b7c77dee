# What a job that copied or loaded data says of it. Differences are reported: visitors write meanwhile, and addresses of mail keep the domain rightly.
source sites/app-login.bash
source sites/logins.bash
source sites/site.bash
source sites/staging/tables.bash

# report_names DOMAIN <LINES: which tables still name the domain, from lines of `named`, the table in hexadecimal, a kind and a number of rows.
report_names() {
  local each named kinds count=0
  local -A found=() said=([address]='in addresses' [mail]='in addresses of mail' [text]='in text' [base64]='in base64')
  while IFS=$'\t' read -r _ each kinds count; do found[$each]+="${found[$each]:+, }$count ${said[$kinds]}"; done < <(grep '^named' || true)
  for each in "${!found[@]}"; do
    decode_name "$each"
    echo "$named: rows still name $1: ${found[$each]}."
  done | sort | cut_list 40 tables
}

# cut_list COUNT NOUN: the first lines, and how many more there are.
cut_list() { awk -v most="$1" -v noun="$2" 'NR <= most { print } END { if (NR > most) print "… and " NR - most " more " noun "." }'; }

# count_rows DATABASE <HEX: of each table its rows, and with former ones where it keeps them, else the same number. Tables that cannot be read are left out:
# a restore may be what mends them.
count_rows() {
  local each table versioned
  versioned=$(sql <<<"SELECT HEX(table_name) FROM information_schema.tables WHERE table_schema = '$1' AND table_type = 'SYSTEM VERSIONED'")
  while IFS= read -r each; do
    table="\`$1\`.$(quoted "$each")"
    if grep -qxF -- "$each" <<<"$versioned"; then
      echo "SELECT '$each', (SELECT COUNT(*) FROM $table), (SELECT COUNT(*) FROM $table FOR SYSTEM_TIME ALL);"
    else
      echo "SELECT '$each', COUNT(*), COUNT(*) FROM $table;"
    fi
  done | sql_seconds=3600 sql_about "$1" --force 2>/dev/null || true
}

# require_rows FORMER NOW <HEX: no table is missing, and none has fewer rows than were copied into it. Both files are of count_rows.
require_rows() {
  local each missing fewer
  missing=$(grep -vxFf <(cut -f 1 "$2"; echo -) | head -n 1) || true
  [[ -z $missing ]] || { echo "The table $(table_name "$missing") is missing in what was copied."; return 1; }
  fewer=$(awk -F '\t' 'NR == FNR { rows[$1] = $2; all[$1] = $3; next } $1 in rows && ($2 + 0 < rows[$1] + 0 || $3 + 0 < all[$1] + 0) { print $1 "\t" $2 "\t" rows[$1] }' "$1" "$2" | head -n 1)
  [[ -z $fewer ]] || { IFS=$'\t' read -r each missing fewer <<<"$fewer"; echo "The table $(table_name "$each") has $missing rows, and $fewer were copied into it."; return 1; }
}

# report_rows FROM NOW WHERE WHERE-NOW: where numbers differ. Both files are of count_rows.
report_rows() {
  local each former now past all
  awk -F '\t' 'NR == FNR { rows[$1] = $2; all[$1] = $3; next } $1 in rows && ($2 != rows[$1] || $3 != all[$1]) { print $1 "\t" rows[$1] "\t" $2 "\t" all[$1] - rows[$1] "\t" $3 - $2 }' "$1" "$2" |
    while IFS=$'\t' read -r each former now past all; do
      each=$(table_name "$each")
      if [[ $former != "$now" ]]; then echo "$each: $now rows $4, $former $3."; fi
      if [[ $past != "$all" ]]; then echo "$each: $all former rows $4, $past $3."; fi
    done | cut_list 40 differences
}

count_routines() { sql <<<"SELECT COUNT(*) FROM mysql.proc WHERE db = '$1' AND type IN ('FUNCTION', 'PROCEDURE', 'PACKAGE')"; }

# report_routines DATABASE DATABASE WHERE WHERE-NOW
report_routines() {
  local former now
  former=$(count_routines "$1") now=$(count_routines "$2")
  [[ $former == "$now" ]] || echo "Stored routines: $now $4, $former $3."
}

# front_status: the status of the first page of the site, asked for on the server; nothing without an answer.
front_status() {
  local ask=("bash" -c 'exec 4<>/dev/tcp/127.0.0.1/80 && cat >&4 && head -c 64 <&4')
  [[ $ssl != yes ]] || ask=(openssl s_client -quiet -connect 127.0.0.1:443 -servername "$domain")
  printf 'GET / HTTP/1.1\r\nHost: %s\r\nUser-Agent: Gatehouse\r\nConnection: close\r\n\r\n' "$domain" | timeout 30 "${ask[@]}" 2>/dev/null | head -c 64 |
    sed -nE '1s,^HTTP/1\.[01] ([0-9]{3}).*,\1,p' || true
}

login_of_site() { try_login "$name" "/usr/bin/php$(site_php)" "$domain" "$home/public${served_folder:+/$served_folder}"; }

# note_front: how the site answers and whether its app gets into its database, before the job changes it.
note_front() {
  front_status >"$job_home/front"
  login_of_site >"$job_home/login"
}

# check_front: what worked when note_front was called works now, or within seconds: Apache and PHP may be loading their configuration.
check_front() {
  local former now told tries=0
  told=$(login_of_site)
  if [[ $told == out$'\t'"$name"$'\t'"$name"$'\t'* && $(<"$job_home/login") != out* ]]; then refuse_login "$domain" "$told"; fi
  former=$(<"$job_home/front")
  now=$(front_status)
  if [[ $former =~ ^[1-4] ]]; then
    until [[ $now =~ ^[1-4] ]]; do
      ((++tries < 6)) || { echo "The first page of $domain answered $former before, and ${now:-nothing} now."; return 1; }
      sleep 1
      now=$(front_status)
    done
  fi
  [[ $former == "$now" ]] || echo "The first page answered ${former:-nothing} before, and answers ${now:-nothing} now."
}
