# Who is here, and the sites that the server has. Value: the line of Gatehouse's public key. Prints the number of the user, whether others log in, and of
# each site its id, name, domain, owner, the name of its live site, whether it is being deleted, and its aliases.
source admission/keys.bash
source sites/site.bash

mapfile -d '' -t values
printf 'uid\t%s\n' "$(id -u)"
if others_come_in "${values[0]}"; then printf 'shared\tyes\n'; fi
for record in "$sites_home"/*/site; do
  [[ -f $record && ! -L $record ]] || continue
  folder=${record%/site}
  name_site "$(sed -n 's/^id //p' "$record")" "${folder##*/}" "$(sed -n 's/^domain //p' "$record")" ''
  deletion=''
  [[ ! -e $settings/removing ]] || deletion=yes
  printf 'site\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$site_id" "$name" "$domain" "$site_owner" "$live_name" "$deletion" \
    "$(sed -n 's/^  ServerAlias //p' "$vhost" 2>/dev/null | head -n 1)"
done
