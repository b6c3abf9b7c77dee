# Email of a site. Values: its id and name. Prints `on` if it is; `key` and the public half of its key, if there is one; and for each address
# `address`, what is before the @, and where it forwards to. Exit code 67: the site is not here.
source sites/mail.bash
source sites/site.bash

set -euo pipefail
mapfile -d '' -t values
name_site "${values[0]}" "${values[1]}" '' ''
is_ours || exit 67
name_mail
[[ ! -e $mail_on ]] || echo on
[[ ! -s $dkim_key ]] || printf 'key\t%s\n' "$(openssl pkey -in "$dkim_key" -pubout -outform DER | base64 -w 0)"
read_addresses | cut -f 1,2 | sed 's/^/address\t/'
