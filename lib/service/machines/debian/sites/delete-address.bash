# Deletes an address of a site. Values: the site's id and name, what is before the @.
source sites/change-address.bash
source sites/mail.bash

mapfile -d '' -t values
begin_change "${values[0]}" "${values[1]}"
read_addresses | cut -f 1 | grep -xF -- "${values[2]}" >/dev/null || exit 68
read_addresses | awk -F '\t' -v user="${values[2]}" '$1 != user' >"$mail_settings/addresses.new"
put_addresses <"$mail_settings/addresses.new"
rm -f "$mail_settings/addresses.new"
