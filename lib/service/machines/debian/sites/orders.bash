# Orders of certificates for sites, by certbot.
source sites/certificate.bash
source sites/reach.bash
source sites/site.bash

certbot_home=$certificates_home/certbot

# Certificate authorities lock out accounts after a few failures an hour, and count certificates for the same names by the week.
most_failed_orders=3
failed_orders() { awk -v from="$((EPOCHSECONDS - 604800))" '$1 > from' "$certificate_notes/failed-orders" 2>/dev/null || true; }
note_failed_orders() {
  local each
  { failed_orders; for each; do printf '%(%s)T %s\n' -1 "$each"; done; } | note failed-orders
}

# When a name may be ordered again, as HH:MM UTC; nothing if it may now.
waits_until() {
  local first
  first=$(awk -v name="$1" -v from="$((EPOCHSECONDS - 3600))" -v most="$most_failed_orders" \
    '$1 > from && $2 == name { at[++count] = $1 } END { if (count >= most) print at[count - most + 1] }' "$certificate_notes/failed-orders" 2>/dev/null) || return 0
  [[ -z $first ]] || date -u -d "@$((first + 3600))" '+%H:%M UTC'
}

too_many_failures() { echo "The certificate authority refused $1 $most_failed_orders times within an hour. It can be tried again after $2."; }

# choose_names FILE EXPECTED NAME...: writes the names that can be in a certificate to FILE, and the others to the note `left-out`.
# FILE.refused, if there is one, names some that cannot, each with the reason.
choose_names() {
  local file=$1 each result why until refusal
  : >"$file"
  : >"$file.left-out"
  check_names_reach 60 "$2" "${@:3}" >"$file.checks"
  while IFS=$'\t' read -r each result why; do
    until=$(waits_until "$each")
    refusal=$(reason_for "$each" "$file.refused" 2>/dev/null || true)
    if [[ -n $refusal ]]; then result=blocked why=$refusal; fi
    if [[ -n $until ]]; then result=blocked why=$(too_many_failures "$each" "$until"); fi
    if [[ $result == blocked ]]; then
      printf '%s\t%s\n' "$each" "$why" >>"$file.left-out"
      echo "$why"
    else
      echo "$each" >>"$file"
      [[ -z $why ]] || echo "$why"
    fi
  done <"$file.checks"
  note left-out <"$file.left-out"
}

# Lines of the second file that the first lacks.
lines_missing() { comm -13 <(sort -u "$1") <(sort -u "$2"); }

# What certbot said about each name that was refused: the name, a tab, the reason.
refused_names() {
  awk '/^ *Domain: / { name = $2 } /^ *Detail: / && name != "" { sub(/^ *Detail: */, ""); gsub(/\t/, " "); print name "\t" $0; name = "" }' "$1" | awk -F '\t' '!seen[$1]++'
}

# What a line of certbot means. It is written for programmers where Python failed, and stays in certbot's own log then.
in_plain_words() {
  case $1 in
    *'Connection refused'*) echo 'It refused the connection.' ;;
    *'Name or service not known'* | *'name resolution'* | *NameResolutionError*) echo 'Its name was not found in DNS.' ;;
    *CERTIFICATE_VERIFY_FAILED* | *SSLError*) echo 'This server does not trust its certificate.' ;;
    *'timed out'* | *Timeout[:\(]* | *TimeoutError*) echo 'It did not answer in time.' ;;
    *'Network is unreachable'* | *'No route to host'*) echo 'This server has no way to it.' ;;
    *'Connection aborted'* | *'Connection reset'* | *RemoteDisconnected*) echo 'It ended the connection.' ;;
    *Traceback* | *'File "'* | *' object at 0x'* | *Pool\(* | *[a-z]Error:* | *[a-z]Exception:* | *[a-z]Error | *[a-z]Exception)
      echo 'certbot failed. Its log is /var/log/gatehouse-certbot/letsencrypt.log on the server.' ;;
    *) echo "$1" ;;
  esac
}

# The one line of certbot's output that says why.
complaint_of() {
  local line
  if grep -F 'No space left on device' "$1" >/dev/null; then
    echo 'The server’s disk is full.'
    return
  fi
  line=$(refused_names "$1" | sed -n '1s/\t/: /p')
  [[ -n $line ]] || line=$(sed -n '/An unexpected error occurred:/{n;p;}' "$1" | tail -n 1)
  [[ -n $line ]] || line=$(grep -vE '^ *$|^Saving debug log|^Ask for help|logfile|^- ' "$1" | tail -n 1) || true
  in_plain_words "${line:-certbot printed nothing.}"
}

# What an order that was killed left behind would make certbot file the next one under another name.
forget_orders() {
  rm -rf -- "$certbot_home"/{live,archive}/"$name" "$certbot_home"/{live,archive}/"$name"-[0-9]* "$certbot_home/renewal/$name.conf" "$certbot_home/renewal/$name"-[0-9]*.conf
  rm -f -- "$certbot_home"/keys/* "$certbot_home"/csr/*
}

# order_certificate OUTPUT NAME...: one order for all names. A name that is refused is left out if others are not; it prints what happened.
order_certificate() {
  local output=$1 each args=() contact roots=$certificates_home/roots.pem refused
  contact=$(cat "$certificates_home/contact")
  for each in "${@:2}"; do args+=(-d "$each"); done
  if [[ -n $contact ]]; then args+=(--email "$contact" --no-eff-email); else args+=(--register-unsafely-without-email); fi
  forget_orders
  if REQUESTS_CA_BUNDLE=$([[ ! -s $roots ]] || echo "$roots") timeout 10m certbot certonly --non-interactive --agree-tos --webroot -w "$proofs" \
    --server "$(cat "$certificates_home/directory")" --config-dir "$certbot_home" --work-dir /var/lib/gatehouse/certbot --logs-dir /var/log/gatehouse-certbot \
    --cert-name "$name" --allow-subset-of-names --key-type ecdsa "${args[@]}" </dev/null >"$output" 2>&1; then
    refused=$(refused_names "$output")
    if [[ -n $refused ]]; then
      mapfile -t args < <(cut -f 1 <<<"$refused")
      note_failed_orders "${args[@]}"
      printf '%s\n' "$refused" | tee -a "$output.left-out" | tr '\t' ' '
    fi
    return
  fi
  mapfile -t args < <(refused_names "$output" | cut -f 1)
  # An authority that did not answer has refused nothing.
  if ((${#args[@]} == 0)) && grep 'urn:ietf:params:acme:error' "$output" >/dev/null; then args=("${@:2}"); fi
  ((${#args[@]} == 0)) || note_failed_orders "${args[@]}"
  echo "The certificate authority issued no certificate. $(complaint_of "$output")"
  return 3
}

# publish_certificate DOMAIN: what was ordered takes the place of the former certificate, if it is whole and covers the domain.
publish_certificate() {
  local ordered=$certbot_home/live/$name
  openssl x509 -in "$ordered/fullchain.pem" -noout -ext subjectAltName | grep -o 'DNS:[^,]*' >"$certbot_home/ordered-names"
  is_in "DNS:$1" "$certbot_home/ordered-names" || { echo "The certificate authority refused $1. The former certificate stays."; return 3; }
  [[ $(openssl x509 -in "$ordered/fullchain.pem" -noout -pubkey) == "$(openssl pkey -in "$ordered/privkey.pem" -pubout)" ]] ||
    { echo 'The new certificate does not match its key.'; return 1; }
  note unserved </dev/null
  cat "$ordered/fullchain.pem" "$ordered/privkey.pem" | write_file "$certificate" 600
}

# get_certificate FILE DOMAIN ALIAS...: orders for the names that choose_names wrote, unless the certificate is fresh, covers them already
# and covers no name that the site has lost.
get_certificate() {
  local names=() output=$1.output
  mapfile -t names <"$1"
  : >"$output.left-out"
  covered_names >"$1.covered" || true
  printf '%s\n' "${@:2}" >"$1.all"
  if is_fresh && [[ -z $(lines_missing "$1.covered" "$1") && -z $(lines_missing "$1.all" "$1.covered") ]]; then
    echo 'The certificate that is there is still good.'
  else
    order_certificate "$output" "${names[@]}"
    publish_certificate "$2"
  fi
  cat "$1.left-out" "$output.left-out" | note left-out
}
