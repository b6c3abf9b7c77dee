# Saves an address of a site. Values: the site's id and name, what is before the @, where it forwards to, and its password; an empty one keeps
# the present one, and an address that has none cannot send. A password works only while the site has SSL.
source sites/change-address.bash
source sites/forwards.bash
source sites/mail.bash

mapfile -d '' -t values
user=${values[2]} destination=${values[3]} password=${values[4]}

check_address() {
  local to=${destination##*@}
  is_plain_address "$user" "$destination" || refuse 'Invalid address.'
  ! is_alias "$to" || refuse "$to is an alias of a site here, and aliases get no mail. Enter an address at another domain. Nothing was changed."
  ! leads_back "$user@$domain" "$destination" ||
    refuse "$destination leads back to $user@$domain, so its mail would go round in circles. Enter another destination. Nothing was changed."
  ! command -v postconf >/dev/null || ! is_local_domain "$to" || is_address_here "$destination" ||
    refuse "$to is this server itself, which keeps no mailboxes. Enter an address at a mail provider. Nothing was changed."
}

# The password comes by standard input; the hash is the one of crypt, with a salt of its own.
hash_password() {
  perl -e '
    local $/;
    my $password = <STDIN>;
    open my $random, "<:raw", "/dev/urandom" or exit 1;
    read($random, my $bytes, 16) == 16 or exit 1;
    my @letters = ("a" .. "z", "A" .. "Z", 0 .. 9, ".", "/");
    my $hash = crypt $password, "\$6\$rounds=50000\$" . join("", map { $letters[ord($_) & 63] } split //, $bytes);
    print "{SHA512-CRYPT}$hash" if length($hash // "") > 80;'
}

begin_change "${values[0]}" "${values[1]}"
check_address
if [[ -n $password ]]; then
  hash=$(printf '%s' "$password" | hash_password)
  [[ -n $hash ]]
else
  hash=$(read_addresses | awk -F '\t' -v user="$user" '$1 == user { print $3 }')
fi
{ read_addresses | awk -F '\t' -v user="$user" '$1 != user'; printf '%s\t%s\t%s\n' "$user" "$destination" "$hash"; } >"$mail_settings/addresses.new"
put_addresses <"$mail_settings/addresses.new"
rm -f "$mail_settings/addresses.new"
