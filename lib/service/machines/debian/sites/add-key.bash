# Adds an SFTP key to a site. Values: the site's id and name, the key in one line, and its fingerprint. Exit codes: begin_keys.
source sites/sftp-keys.bash
source sites/site.bash

set -euo pipefail
umask 022
mapfile -d '' -t values
refuse() { echo "$1"; exit 66; }

# Of an earlier version, or changed by hand. sshd names the files for this user as they are in effect.
require_keys_work() {
  local effective
  effective=$(sshd -T -C "user=$name,host=,addr=" 2>/dev/null) || refuse 'SSH’s configuration has an error here. Correct it first; nothing was changed.'
  grep -qE "^authorizedkeysfile (.* )?$keys_home/%u( |\$)" <<<"$effective" ||
    refuse "SSH does not read keys of sites here. Bring the server up to date, or see AuthorizedKeysFile in /etc/ssh/sshd_config.d. Nothing was changed."
  grep -qx 'pubkeyauthentication yes' <<<"$effective" || refuse 'SSH takes no keys here (PubkeyAuthentication). Nothing was changed.'
}

begin_keys "${values[0]}" "${values[1]}"
require_keys_work
[[ $(fingerprint_of <<<"${values[2]}") == "${values[3]}" ]] || refuse 'SSH of this server does not know this kind of key. Nothing was changed.'
# A file that somebody has written may lack its last line break.
{ if [[ -e $(keys_file) ]]; then sed -e "\$a\\" -- "$(keys_file)"; fi; printf '%s\n' "${values[2]}"; } | put_keys
