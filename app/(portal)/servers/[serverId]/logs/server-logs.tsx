'use client'

import { LogsView } from '@/app/_shared/logs/logs-view'
import { operationRead } from '@/app/_shared/reads/read-address'

/** The logs of one server. */
export const ServerLogs = ({ serverId, name }: { serverId: string; name: string }) => (
  <LogsView
    source={{
      name,
      format: formatLog,
      first: firstLog,
      usual: usualLogs,
      read: (log) => operationRead('logs.fetch', { serverId, log }),
    }}
  />
)

/** Labels of logs. Services name their logs freely: an unknown name is shown as it is. */
const words: Readonly<Record<string, string>> = {
  auth: 'Sign-ins',
  journal: 'System journal',
  syslog: 'System log',
  apache_access: 'Web requests',
  apache_error: 'Web errors',
  php: 'PHP',
  mysql: 'Database',
  mail: 'Mail',
  firewall: 'Firewall',
  fail2ban: 'Fail2ban',
  install: 'Installation',
}

function formatLog(name: string): string {
  const [kind, domain, of] = name.split(':')
  if (kind === 'site' && domain && of) return `${domain}, ${of === 'access' ? 'requests' : 'errors'}`
  const known = Object.hasOwn(words, name) ? words[name] : undefined
  return known === undefined || known.toLowerCase() === name ? (known ?? name) : `${known} (${name})`
}

/** The logs to offer if a service does not list its own. */
const usualLogs = ['auth', 'apache_access', 'apache_error', 'php', 'mysql', 'mail', 'firewall']

const firstLog = 'auth'
