# What renews certificates, twice a day. content_renewal, the script itself, is built from renew.bash.
source sites/site.bash

renewal_script=/usr/local/sbin/gatehouse-certificates
renewal_service=/etc/systemd/system/gatehouse-certificates.service
renewal_timer=/etc/systemd/system/gatehouse-certificates.timer

content_renewal_service() {
  cat <<END
# Put here by Gatehouse.
[Unit]
Description=Renews the certificates of sites
After=network-online.target apache2.service
Wants=network-online.target

[Service]
Type=oneshot
TimeoutStartSec=6h
ExecStart=$renewal_script
Nice=10
END
}

content_renewal_timer() {
  cat <<'END'
# Put here by Gatehouse.
[Unit]
Description=Renews the certificates of sites

[Timer]
OnCalendar=*-*-* 03,15:00:00
RandomizedDelaySec=6h
Persistent=true

[Install]
WantedBy=timers.target
END
}

put_renewal() {
  local changed=''
  if write_if_new "$renewal_script" 755 content_renewal; then changed=yes; fi
  if write_if_new "$renewal_service" 644 content_renewal_service; then changed=yes; fi
  if write_if_new "$renewal_timer" 644 content_renewal_timer; then changed=yes; fi
  # What could not be written looks unchanged.
  cmp -s "$renewal_script" <(content_renewal) || { echo 'The program that renews certificates could not be written.'; return 1; }
  [[ -z $changed ]] || systemctl daemon-reload
  systemctl -q enable --now gatehouse-certificates.timer
}
