import { Archive, CalendarClock, type LucideIcon, Mail, ScrollText, Settings, Shield, UsersRound } from 'lucide-react'
import { type Findable, findBest } from './match'
import type { PaletteItem } from './palette-item'

type ServerPage = { path: string; name: string; Icon: LucideIcon; words: readonly string[] }

/** The pages of a server, each with the words to find it by. */
const serverPages: readonly ServerPage[] = [
  { path: 'cron', name: 'Cron jobs', Icon: CalendarClock, words: ['cron', 'crontab', 'jobs', 'schedule', 'timer'] },
  { path: 'logs', name: 'Logs', Icon: ScrollText, words: ['logs', 'log', 'journal', 'syslog', 'auth'] },
  { path: 'mail', name: 'Mail queue', Icon: Mail, words: ['mail', 'queue', 'messages', 'postfix', 'spam'] },
  { path: 'backups', name: 'Backups', Icon: Archive, words: ['backups', 'archive', 'restore'] },
  { path: 'users', name: 'System users', Icon: UsersRound, words: ['users', 'accounts', 'password', 'logins'] },
  { path: 'firewall', name: 'Firewall', Icon: Shield, words: ['firewall', 'ports', 'rules', 'ufw', 'iptables'] },
  { path: 'settings', name: 'Settings', Icon: Settings, words: ['settings', 'hostname', 'rename', 'key', 'reset', 'delete', 'danger'] },
]

/** How many servers' pages are offered at once, and the shortest word that means a page. */
const maxResults = 10
const fewestLetters = 3

/**
 * "cron web 1": one word selects the page, the others a server; without any, the recent ones. Built for the query, so that ten thousand
 * servers do not become many times as many items to search.
 */
export function serverPageItems(query: string, servers: readonly Findable<PaletteItem>[], recents: readonly string[]): PaletteItem[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return serverPages.flatMap(({ path, name, Icon, words: own }) => {
    const asked = words.findIndex((word) => word.length >= fewestLetters && own.some((each) => each.startsWith(word)))
    if (asked < 0) return []
    const rest = words.filter((_, place) => place !== asked).join(' ')
    const only = servers.filter(({ entry }) => entry.kind === 'Server' && (rest !== '' || recents.includes(entry.id)))
    const found = rest === '' ? only.map(({ entry }) => entry) : findBest(only, rest, maxResults)
    return found.map((server): PaletteItem => {
      const href = `${server.id}/${path}`
      return { ...server, id: href, kind: 'Page', name: `${name} of ${server.name}`, Icon, does: href }
    })
  })
}
