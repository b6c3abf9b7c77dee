/** Logs in words. Services name theirs as they like: what is not known here is called as it is. */

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

export function formatLog(name: string): string {
  const [kind, domain, of] = name.split(':')
  if (kind === 'site' && domain && of) return `${domain}, ${of === 'access' ? 'requests' : 'errors'}`
  const known = Object.hasOwn(words, name) ? words[name] : undefined
  return known === undefined || known.toLowerCase() === name ? (known ?? name) : `${known} (${name})`
}

/** What every server can be asked for where a service does not say which logs there are. */
export const usualLogs = ['auth', 'apache_access', 'apache_error', 'php', 'mysql', 'mail', 'firewall']

export const firstLog = 'auth'
