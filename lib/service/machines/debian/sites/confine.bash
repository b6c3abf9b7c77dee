# How far programs of a site are confined, for its PHP and for whatever else runs as its user. Properties of a systemd unit, one per line.
# PID 1 would answer questions about other sites' processes over D-Bus; mail and shared memory survive the user who left them.
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
InaccessiblePaths=-/root -/run/dbus -/var/mail
BindPaths=/home/$1
END
}
