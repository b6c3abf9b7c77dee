# What takes back interrupted work on sites at each boot, once Apache and MariaDB have started. content_take_back, the script itself, is built from
# sites/take-back.bash.
source steps/files.bash

take_back_script=/usr/local/sbin/gatehouse-take-back
take_back_service=/etc/systemd/system/gatehouse-take-back.service
take_back_link=/etc/systemd/system/multi-user.target.wants/gatehouse-take-back.service

content_take_back_service() {
  cat <<'END'
# Put here by Gatehouse.
[Unit]
Description=Takes back interrupted work on sites
After=apache2.service mariadb.service postfix.service

[Service]
Type=oneshot
ExecStart=/usr/local/sbin/gatehouse-take-back
Restart=on-failure
RestartSec=30

[Install]
WantedBy=multi-user.target
END
}

# A link that an admin removed later stays away.
link_take_back() { ln -sfnT "$take_back_service" "$take_back_link"; }

is_take_back_put() { is_put "$take_back_script" content_take_back && is_put "$take_back_service" content_take_back_service; }

put_take_back() {
  if [[ -z $(listed_hash_of "$take_back_service") ]]; then
    save_before "$take_back_link"
    link_take_back
  fi
  put "$take_back_script" 755 content_take_back
  put "$take_back_service" 644 content_take_back_service
}
