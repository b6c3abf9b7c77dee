# With which sender programs of a site send mail through sendmail: its own, which are any address of its names, and its user. Another one is
# replaced by the user, because a program that names a visitor as the sender has to be able to send all the same.
source sites/confine.bash
source sites/mail-limits.bash
source sites/site.bash
source steps/mail.bash
source steps/manifest.bash

senders=$sites_home/.senders

# The user's name is public on a server, and so is each name in DNS. All sites are read by one program: they may be hundreds, at the creation of each.
# A site that is being deleted sends nothing more.
list_site_senders() (
  shopt -s nullglob
  own_hosts=$(postconf -xh myhostname myorigin 2>/dev/null | sort -u) || true
  vhosts=() sites=("$sites_home"/*/site)
  removing=("$sites_home"/*/removing)
  # awk ends at one that it cannot read.
  for each in "$vhosts_home"/zz-gatehouse-*.conf; do [[ ! -f $each ]] || vhosts+=("$each"); done
  ((${#sites[@]})) || return 0
  awk -v hosts="${own_hosts//$'\n'/ }" -v removing="${removing[*]/#/ }" '
    function own(name, domains,  count, each, words) {
      printf "%s\t%s", name, name
      count = split(hosts, words, " ")
      for (each = 1; each <= count; each++) printf " %s@%s", name, words[each]
      count = split(domains, words, " ")
      for (each = 1; each <= count; each++) printf " @%s", words[each]
      print " <>"
    }
    FNR == 1 {
      name = FILENAME
      of_site = sub(/\/site$/, "", name)
      if (of_site && !index(removing " ", " " name "/removing ")) sites[++count] = name
      if (of_site) sub(/.*\//, "", name); else sub(/.*\/zz-gatehouse-/, "", name)
      if (!of_site) sub(/\.conf$/, "", name)
      aliased = 0
    }
    of_site && /^domain / { domains[name] = substr($0, 8) }
    !of_site && /^  ServerAlias / && !aliased++ { aliases[name] = substr($0, 15) }
    END {
      for (each = 1; each <= count; each++) {
        name = sites[each]
        sub(/.*\//, "", name)
        own(name, domains[name] " " aliases[name])
      }
    }' "${sites[@]}" "${vhosts[@]}"
)

# Whoever calls postdrop instead of sendmail gets no other sender either. Servers that were installed with an earlier version lack the others.
# Prints what is still as Postfix has it by default; what an admin has set stays.
lacking_restrictions() {
  local setting present
  command -v postconf >/dev/null && [[ $(part_state mail) == ours ]] || return 0
  set -- "local_login_sender_maps = texthash:$senders, static:*" "${postfix_restrictions[@]}"
  [[ ! -e $held_mail ]] || set -- "$@" "authorized_submit_users = !texthash:$held_mail, static:anyone"
  present=$(postconf -n "${@%% =*}" 2>/dev/null) || true
  for setting; do
    grep -q "^${setting%% =*} =" <<<"$present" || echo "$setting"
  done
}

print_senders() { [[ -z $listed ]] || echo "$listed"; }

# Without the files that they name, postdrop would take no mail from anybody, so the settings come after them. The second is of mail-limits.bash.
refresh_senders() {
  local lacking listed
  [[ -d $sites_home ]] || return 0
  listed=$(list_site_senders)
  write_if_new "$senders" 644 print_senders || true
  [[ -e $senders ]] || return 0
  mapfile -t lacking < <(lacking_restrictions)
  ((${#lacking[@]} == 0)) || keep_noted postconf -e "${lacking[@]}"
}

# In the units of sites this program is /usr/sbin/sendmail: confine.bash.
content_sendmail() {
  cat <<END
#!/bin/sh
# Put here by Gatehouse. Gives mail of a site's programs to the server's sendmail, without a sender that is not the site's own.
real=$gatehouse_programs/sendmail-of-server
[ -s "\$real" ] || { echo 'There is no mail server here.' >&2; exit 69; }
own=\$(sed -n "s/^\$(id -un)	//p" $senders)
is_own() {
  address=\$(printf %s "\$1" | tr '[:upper:]' '[:lower:]')
  case " \$own " in *" \$address "*) return 0 ;; esac
  case \$address in *@*) ;; *) return 1 ;; esac
  case " \$own " in *" @\${address##*@} "*) return 0 ;; esac
  return 1
}
left=\$#
while [ "\$left" -gt 0 ]; do
  argument=\$1
  shift
  left=\$((left - 1))
  case \$argument in
    -f | -r)
      sender=\${1-}
      if [ "\$left" -gt 0 ]; then shift; left=\$((left - 1)); fi
      ;;
    -f* | -r*) sender=\${argument#-?} ;;
    *)
      set -- "\$@" "\$argument"
      continue
      ;;
  esac
  if is_own "\$sender"; then set -- "\$@" -f "\$sender"; fi
done
exec "\$real" "\$@"
END
}

write_sendmail() {
  install -d -m 755 "$gatehouse_programs"
  write_if_new "$gatehouse_programs/sendmail" 755 content_sendmail || true
  [[ -e $gatehouse_programs/sendmail-of-server ]] || install -m 644 /dev/null "$gatehouse_programs/sendmail-of-server"
}
