# What the summary says of sites. The programs that it starts are as few for many sites as for one, because each takes a while on a busy server.
source sites/certificate.bash
source sites/foreign-links.bash
source sites/site.bash

# record_lines PATTERN FILE: the lines of this file of each site that match, as the site's name, a tab and the line.
record_lines() { grep -sHE -- "$1" "$sites_home"/*/"$2" | sed -E "s|^$sites_home/([^/]*)/$2:|\1\t|"; }

# read_records: sets `domains` and `states` of all sites, by name. A record without a state is of the first one: state_of.
declare -A domains=() states=()
read_records() {
  local each word value
  while read -r each word value; do
    if [[ $word == domain ]]; then
      domains[$each]=$value states[$each]=${states[$each]-1}
    elif [[ $value =~ ^[0-9]+$ ]]; then
      states[$each]=$value
    fi
  done < <(record_lines '^(domain|state) ' site)
}

# list_lives FILE...: from when until when, in seconds since 1970, the first certificate of each is valid, and the file. openssl reads one at a time.
list_lives() {
  TZ=UTC perl -MPOSIX=mktime -e '
    my $time = qr/(?:\x17\x0d|\x18\x0f)(\d{12,14})Z/;
    sub seconds {
      my ($year, $month, @rest) = $_[0] =~ /^(\d+)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/;
      $year += $year < 50 ? 2000 : 1900 if $year < 100;
      return mktime(reverse(@rest), $month - 1, $year - 1900);
    }
    for my $file (@ARGV) {
      open my $in, "<", $file or next;
      my ($text) = do { local $/; <$in> } =~ /-----BEGIN CERTIFICATE-----([A-Za-z0-9+\/=\s]+)-----END/ or next;
      $text =~ tr#A-Za-z0-9+/##cd;
      $text =~ tr#A-Za-z0-9+/# -_#;
      my $bytes = join "", map { unpack "u", chr(32 + length($_) * 3 / 4) . $_ } $text =~ /(.{1,60})/g;
      # A sequence of two times comes once in a certificate.
      print join(" ", seconds($1), seconds($2), $file), "\n" if $bytes =~ /\x30[\x1e-\x22]$time$time/;
    }' -- "$@"
}

# The domains of sites whose certificate could not be renewed twice, or has a third of its life or less left.
tell_failing_certificates() {
  local each from to count
  local -A lasting=() failed=()
  while read -r from to each; do
    each=${each%/certificate/served.pem} each=${each##*/}
    is_ending "$from" "$to" || lasting[$each]=yes
  done < <(list_lives "$sites_home"/*/certificate/served.pem)
  while IFS=$'\t' read -r each count _; do
    ((count < 2)) || failed[$each]=yes
  done < <(record_lines '^[0-9]+'$'\t' certificate/failure)
  while IFS= read -r each; do
    each=${each##*/zz-gatehouse-} each=${each%.conf}
    [[ -z ${domains[$each]-} || (-n ${lasting[$each]-} && -z ${failed[$each]-}) ]] || printf '%s ' "${domains[$each]}"
  done < <(grep -ls '^  SSLEngine on' "$vhosts_home"/zz-gatehouse-*.conf)
}

# As foreign_links has them, over all sites. Where nothing was found, a site is asked again after an hour: its folder may be large. The summary has a
# limit, so what is not asked within this many seconds after its start, a later check asks.
links_until=3
tell_foreign_links() {
  local each found
  local -A asked=()
  install -d -m 700 /run/gatehouse-links
  while IFS= read -r each; do asked[$each]=yes; done < <(find /run/gatehouse-links -type f -mmin -60 -printf '%f\n')
  for each in "${!domains[@]}"; do
    ((SECONDS < links_until)) || break
    [[ -z ${asked[$each]-} ]] || continue
    name_paths "$each"
    found=$(foreign_links 5)
    if [[ -n $found ]]; then
      echo "$found"
      rm -f -- "/run/gatehouse-links/$name"
    else
      : >"/run/gatehouse-links/$name"
    fi
  done | tr '\n' ' '
}

# The domains of sites that an earlier version of Gatehouse set up.
tell_outdated_sites() {
  local each
  for each in "${!domains[@]}"; do
    ((states[$each] >= state_version)) || printf '%s\n' "${domains[$each]}"
  done | sort | tr '\n' ' '
}
