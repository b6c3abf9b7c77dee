# Certificates of sites. certbot keeps them apart from those that an admin has: it gets other folders.
source sites/site.bash

certificates_home=/etc/gatehouse/certificates

# Of one site, after name_site. The certificate that is served is a copy, with its key: certbot replaces its own files one by one.
name_certificate() {
  certificate_notes=$settings/certificate
  certificate=$certificate_notes/served.pem
}

# What the virtual host says is what is served.
has_ssl() { grep -q '^  SSLEngine on' "$vhost" 2>/dev/null; }
served_names() { sed -n 's/^  Server\(Name\|Alias\) //p' "$vhost" | tr ' ' '\n' | awk 'NF && !seen[$1]++'; }

covered_names() { openssl x509 -in "$certificate" -noout -ext subjectAltName 2>/dev/null | grep -o 'DNS:[^,]*' | cut -d: -f2; }

# When it was issued and when it expires, in seconds since 1970.
certificate_times() { openssl x509 -in "$certificate" -noout -startdate -enddate 2>/dev/null | cut -d= -f2 | date -f - +%s | paste -sd ' '; }

# lasts FROM TO PART: whether more than PART/100 of this life is left.
lasts() { ((($2 - EPOCHSECONDS) * 100 > ($2 - $1) * $3)); }

# has_left PART: the same of the certificate.
has_left() {
  local from to
  read -r from to < <(certificate_times) || return 1
  lasts "$from" "$to" "$1"
}

# Renewed with two fifths of its life left, so that a warning with a third left follows attempts that failed. The timer may leave 18 hours
# between attempts, which is much of a life of days: then with half of it left.
is_fresh() { [[ -s $certificate ]] && has_left "$(if lives_for_days; then echo 50; else echo 40; fi)"; }
lives_for_days() {
  local from to
  read -r from to < <(certificate_times) || return 1
  ((to - from < 10 * 86400))
}
# is_ending FROM TO
is_ending() { ! lasts "$1" "$2" 33; }

# Notes about the certificate of a site: names it lacks, with the reason; failed orders by name; how often renewing failed, and why;
# `unserved` while Apache does not serve it yet.
note() { install -d -m 700 "$certificate_notes" && write_file "$certificate_notes/$1" 600; }
# Names that are served and not covered.
lacking_names() { comm -13 <(covered_names | sort) <(served_names | sort); }
failed_renewals() { cut -f 1 "$certificate_notes/failure" 2>/dev/null | grep -x '[0-9]*' || echo 0; }

# note_failure SENTENCE
note_failure() { printf '%d\t%s\n' "$(($(failed_renewals) + 1))" "$1" | note failure; }

# reason_for NAME FILE: why choose_names left it out.
reason_for() { awk -F '\t' -v name="$1" '$1 == name { print $2; exit }' "$2"; }

# is_in NAME FILE. It reads to the end, so that a program before it in a pipeline is not stopped.
is_in() { grep -xF -- "$1" "$2" >/dev/null; }
