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
