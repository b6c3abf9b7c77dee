# The nightly backup of this server and of its sites, which the host program makes. Where that is missing, whoever lists the backups reads why there is none.
source host/whole.bash

export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8
# systemd does not set it, and MariaDB's programs look for root's own password there.
export HOME=/root
umask 077
if has_python && is_program_whole "$(host_program)"; then
  exec "${program_python[@]}" "$(host_program)" <<<'{"protocol": 1, "job": "back-up-server"}'
fi
mkdir -p /var/backups/gatehouse
printf 'failed\0%s\0{"code":"no-program"}\0' "$(date +%s)" >/var/backups/gatehouse/.last
exit 1
