# The keys with which the user of a site signs in by SFTP: one file for each site, of root, which sshd reads as that user (AuthorizedKeysFile in
# sftp.bash). No other site can read it. Its path is in site.bash.
# begin_keys ID NAME: for changes. Jobs of sites do not write these files, so this waits for none. Exit codes: 67 the site is not here; 73 another
# change goes on; 66 refused, and the last line says why; 68 there is no such key.
source changes/room.bash
source sites/site.bash

begin_keys() {
  name_site "$1" "$2" '' ''
  is_ours || exit 67
  install -d -m 700 /run/gatehouse
  exec 9>/run/gatehouse/keys.lock
  flock -w 10 9 || exit 73
  require_room /etc/ssh
}

# fingerprint_of: of the line that standard input is; nothing if it is no key.
fingerprint_of() { ssh-keygen -lf - 2>/dev/null | cut -d' ' -f2; }

# put_keys: standard input becomes the file. One without a line goes, as for a site that never had a key. A site that was deleted meanwhile
# leaves none.
put_keys() {
  local new=$keys_home/.$name.new
  install -d -m 711 "$keys_home"
  rm -f "$new"
  (umask 077 && cat >"$new")
  chgrp "$name" "$new" && chmod 640 "$new" && sync "$new"
  if [[ -s $new ]]; then mv -fT "$new" "$(keys_file)"; else rm -f "$new" "$(keys_file)"; fi
  sync "$keys_home"
  is_ours || { rm -f "$(keys_file)"; exit 67; }
}
