import type { Answer } from '@/lib/contract/operation'
import type { users } from '@/lib/contract/operations/users'

export type UsersAnswer = Answer<typeof users.list>

/** own: the system user that manages the server. */
export type UserKind = 'person' | 'own' | 'system'

/** The system users that Debian and the packages of a server create. A service may list them among people's. */
const systemNames = new Set(
  (
    'root daemon bin sys sync games man lp mail news uucp proxy www-data backup list irc gnats nobody _apt sshd messagebus syslog ' +
    'systemd-network systemd-resolve systemd-timesync systemd-coredump systemd-oom polkitd tcpdump landscape pollinate uuidd tss ntp ' +
    'chrony mysql postgres redis memcache postfix dovecot dovenull vmail opendkim bind named nginx apache unbound dnsmasq fail2ban ' +
    'avahi rtkit clamav debian-spamd amavis rspamd'
  ).split(' '),
)

export function kindOf(name: string, own: string): UserKind {
  if (name === own) return 'own'
  return systemNames.has(name) ? 'system' : 'person'
}

/** The command to log in; empty if the service does not report how the server is reached. */
export function loginOf(name: string, { host, ip, port }: UsersAnswer): string {
  const address = host || ip
  if (address === '') return ''
  return `ssh ${port === '' || port === '22' ? '' : `-p ${port} `}${name}@${address}`
}
