# A backup every night, and what takes back interrupted work at boot. content_backup, the script of the backup, is built from nightly-backup/. It runs the
# program of the package, which the install itself is begun from.
source steps/files.bash
source steps/take-back.bash
source steps/units.bash

content_backup_service() {
  cat <<'END'
# Put here by Gatehouse.
[Unit]
Description=Nightly backup of this server
After=mariadb.service

[Service]
Type=oneshot
TimeoutStartSec=12h
ExecStart=/usr/local/sbin/gatehouse-backup
Nice=10
IOSchedulingClass=idle
END
}

content_backup_timer() {
  cat <<'END'
# Put here by Gatehouse.
[Unit]
Description=Nightly backup of this server

[Timer]
OnCalendar=*-*-* 02:30:00
RandomizedDelaySec=30min
Persistent=true

[Install]
WantedBy=timers.target
END
}

backup_script=/usr/local/sbin/gatehouse-backup
backup_service=/etc/systemd/system/gatehouse-backup.service
backup_timer=/etc/systemd/system/gatehouse-backup.timer

find_backups() { :; }

probe_backups() {
  is_put "$backup_script" content_backup && is_put "$backup_service" content_backup_service &&
    is_put "$backup_timer" content_backup_timer && is_take_back_put && ! owes_restart backup-timer && [[ -d /var/backups/gatehouse ]] &&
    { [[ ! -e $backup_timer ]] || units_run gatehouse-backup.timer; }
}

apply_backups() {
  owe_restart backup-timer
  install -d -m 700 /var/backups/gatehouse
  put "$backup_script" 755 content_backup
  put "$backup_service" 644 content_backup_service
  put "$backup_timer" 644 content_backup_timer
  put_take_back
  systemctl daemon-reload
  [[ ! -e $backup_timer ]] || run_units gatehouse-backup.timer
  restart_paid backup-timer
}

unwind_backups() { systemctl daemon-reload; }

differences_backups() { tell_switched_off gatehouse-backup.timer; }
