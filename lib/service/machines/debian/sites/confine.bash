# How far programs of a site are confined, for its PHP and for whatever else runs as its user. Properties of a systemd unit, one per line.
# PID 1 would answer questions about other sites' processes over D-Bus, and start programs outside of the unit for a user who has a manager.
# What reaches the journal, or rsyslog through the socket that it has for Postfix, can name sshd as its author. Mail and shared memory survive the user who left them.
# No NoNewPrivileges: sendmail of Postfix gives mail to postdrop, which is setgid, and Exim's is setuid. Without them PHP's mail() sends nothing.
confinement() {
  cat <<END
PrivateTmp=yes
PrivateDevices=yes
PrivateIPC=yes
ProtectProc=invisible
ProtectSystem=strict
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
RestrictNamespaces=yes
RestrictSUIDSGID=yes
LockPersonality=yes
TemporaryFileSystem=/home:ro /dev/shm:mode=1777,nosuid,nodev
InaccessiblePaths=-/root -/run/dbus -/run/user -/run/systemd/journal -/var/spool/postfix/dev -/var/mail
BindPaths=/home/$1
END
  confined_sendmail
}

# Postfix takes any sender from anybody; other mail servers name the user who sends. The program is in senders.bash.
gatehouse_programs=/usr/local/lib/gatehouse
confined_sendmail() {
  [[ -f /usr/sbin/sendmail && ! -L /usr/sbin/sendmail && -e /usr/sbin/postdrop ]] || return 0
  echo "BindReadOnlyPaths=-/usr/sbin/sendmail:$gatehouse_programs/sendmail-of-server -$gatehouse_programs/sendmail:/usr/sbin/sendmail"
}
