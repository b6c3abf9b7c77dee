# Whether a certificate authority that asks for a name would find its site here: by HTTP over every address that DNS has for the name.
proof_path=/.well-known/acme-challenge/gatehouse

# The file that is asked for. Only root writes it, and the site cannot serve another under its name.
proof_of_site() { cat "$proofs$proof_path" 2>/dev/null; }

write_proof() {
  install -d -m 755 "$proofs${proof_path%/*}"
  [[ ! -s $proofs$proof_path ]] || return 0
  # Pages ask for it while a job may be writing files.
  local new
  new=$(mktemp "$proofs/proof.XXXXXXXX")
  od -An -N24 -tx1 /dev/urandom | tr -d ' \n' >"$new"
  chmod 644 "$new"
  mv -T "$new" "$proofs$proof_path"
}

# The addresses of this server: its own, and those of the name or address that Gatehouse reaches it by ($1), also behind a NAT.
own_addresses() { { hostname -I | tr ' ' '\n'; timeout 5 getent ahosts -- "$1" | cut -d' ' -f1 || true; } | awk 'NF && !seen[$1]++'; }

# At most four of each kind: whoever owns the name decides how many there are.
addresses_of() {
  local family
  for family in 4 6; do
    { timeout 5 getent "ahostsv$family" -- "$1" || true; } | awk '$1 !~ /^(127[.]|::1$|::ffff:)/ && !seen[$1]++ && ++count <= 4 { print $1 }'
  done
}

# Addresses that only mean something within a computer or a network, such as those that clouds tell secrets at. They are never asked:
# whoever owns the name chooses them.
is_nowhere() { [[ $1 =~ ^(0[.]|169[.]254[.]|22[4-9][.]|2[3-5][0-9][.]|::$|fe[89ab][0-9a-f]:|ff[0-9a-f][0-9a-f]:) ]]; }

# ask_for_proof ADDRESS NAME: found, moved, other (something else answers), silent (nothing answers), or no-route.
ask_for_proof() {
  local answer
  ip route get "$1" &>/dev/null || { echo no-route; return; }
  answer=$(timeout 5 bash -c 'exec 4<>"/dev/tcp/$0/80" && printf "GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: Gatehouse\r\nConnection: close\r\n\r\n" "$2" "$1" >&4 && head -c 8192 <&4' \
    "$1" "$2" "$proof_path" 2>/dev/null | tr -d '\0') || true
  case $answer in
    '') echo silent ;;
    *"$proof"*) echo found ;;
    HTTP/1.?' 30'[12378]*) echo moved ;;
    *) echo other ;;
  esac
}

# check_name NAME OWN-ADDRESSES: prints ready, warning or blocked, a tab, and a sentence. until: when it has to end, as SECONDS.
check_name() {
  local address worst=ready why='' proof
  proof=$(proof_of_site)
  proof=${proof:-none}
  for address in $(addresses_of "$1"); do
    ((SECONDS < until)) || { worst=warning why='The check took too long.'; break; }
    if is_nowhere "$address"; then
      worst=blocked why="DNS points to $address, which no server on the internet can have. Point the DNS record of $1 to this server."
      continue
    fi
    case $(ask_for_proof "$address" "$1") in
      found)
        [[ $worst == ready && -z $why ]] || continue
        grep -qxF -- "$address" <<<"$2" || why="DNS points to $address, which is not an address of this server. The site still answers there."
        ;;
      moved) [[ $worst == blocked ]] || worst=warning why="$address redirects $1 elsewhere. The certificate authority follows that, and has to end up here." ;;
      other) worst=blocked why="At $address another server answers for $1. Point its DNS record to this server." ;;
      no-route) [[ $worst == blocked ]] || worst=warning why="$1 also has the address $address, which this server cannot check because it has no IPv6 address." ;;
      silent)
        if grep -qxF -- "$address" <<<"$2"; then
          [[ $worst == blocked ]] || worst=warning why="This server cannot reach itself at $address. Make sure that port 80 is open to the internet."
        else
          worst=blocked why="Nothing answers at $address, where DNS points for $1. Point its DNS record to this server, or open port 80."
        fi
        ;;
    esac
  done
  if [[ -z ${address-} ]]; then worst=blocked why="$1 has no address in DNS. Create a record that points to this server."; fi
  [[ $worst != ready || -z $why ]] || worst=warning
  printf '%s\t%s\n' "$worst" "$why"
}

# check_names_reach SECONDS EXPECTED NAME...: check_name of each, after the name and a tab; several at once. A name that is not done in time is
# a warning.
check_names_reach() {
  local until=$((SECONDS + $1)) own each folder
  own=$(own_addresses "$2")
  folder=$(mktemp -d)
  for each in "${@:3}"; do
    ((SECONDS < until)) || break
    while (($(jobs -rp | wc -l) >= 8)); do wait -n || true; done
    check_name "$each" "$own" >"$folder/$each" </dev/null &
  done
  wait
  for each in "${@:3}"; do
    if [[ -s $folder/$each ]]; then printf '%s\t%s\n' "$each" "$(cat "$folder/$each")"; else printf '%s\twarning\tThe check took too long.\n' "$each"; fi
  done
  rm -rf "$folder"
}
