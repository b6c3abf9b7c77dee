import {
  AppWindow,
  Archive,
  AtSign,
  CalendarClock,
  Database,
  Gauge,
  Globe,
  Lock,
  type LucideIcon,
  Mail,
  ScrollText,
  Settings,
  Shield,
  UsersRound,
} from 'lucide-react'
import { type Findable, findable, findBest } from '../../_ui/match'
import type { PaletteItem } from './page-items'

/** extension: only with services that announce extensions. */
type SubjectPage = { path: string; name: string; Icon: LucideIcon; words: readonly string[]; extension?: true }

const overview: SubjectPage = { path: '', name: 'Overview', Icon: Gauge, words: ['summary', 'state', 'start'] }

/** The pages of a server, each with the words to find it by. */
const serverPages: readonly SubjectPage[] = [
  { path: 'sites', name: 'Sites', Icon: Globe, words: ['sites', 'websites', 'domains'] },
  { path: 'cron', name: 'Cron jobs', Icon: CalendarClock, words: ['cron', 'crontab', 'jobs', 'schedule', 'timer'] },
  { path: 'logs', name: 'Logs', Icon: ScrollText, words: ['logs', 'log', 'journal', 'syslog', 'auth'] },
  { path: 'mail', name: 'Mail queue', Icon: Mail, words: ['mail', 'queue', 'messages', 'postfix', 'spam'] },
  { path: 'backups', name: 'Backups', Icon: Archive, words: ['backups', 'archive', 'restore'] },
  { path: 'users', name: 'System users', Icon: UsersRound, words: ['users', 'accounts', 'password', 'logins'] },
  { path: 'firewall', name: 'Firewall', Icon: Shield, words: ['firewall', 'ports', 'rules', 'ufw', 'iptables'] },
  { path: 'settings', name: 'Settings', Icon: Settings, words: ['settings', 'hostname', 'rename', 'key', 'reset', 'delete', 'danger'] },
]

/** The pages of a site. */
const sitePages: readonly SubjectPage[] = [
  { path: 'app', name: 'App', Icon: AppWindow, words: ['app', 'apps', 'wordpress', 'dokuwiki', 'staging', 'pull', 'push'] },
  { path: 'database', name: 'Database', Icon: Database, words: ['database', 'tables', 'mysql', 'mariadb', 'password'] },
  { path: 'aliases', name: 'Aliases', Icon: AtSign, words: ['aliases', 'names', 'domains'] },
  { path: 'ssl', name: 'SSL', Icon: Lock, words: ['ssl', 'tls', 'https', 'certificate'] },
  { path: 'email', name: 'Email', Icon: Mail, words: ['email', 'mail', 'addresses', 'forwards', 'mx', 'spf', 'dkim', 'dmarc'] },
  { path: 'backups', name: 'Backups', Icon: Archive, words: ['backups', 'restore', 'archive', 'download', 'export'] },
  { path: 'logs', name: 'Logs', Icon: ScrollText, words: ['logs', 'log', 'requests', 'errors'], extension: true },
  {
    path: 'settings',
    name: 'Settings',
    Icon: Settings,
    extension: true,
    words: ['settings', 'php', 'version', 'upload', 'memory', 'limits', 'folder', 'docroot'],
  },
]

/** How many subjects' pages are offered at once, and the shortest word that means a page. */
const maxResults = 10
const fewestLetters = 3

/**
 * "cron web 1", "ssl example.org": one word selects the page, the others a server or site; without any, the recent ones. Built for the
 * query, so that ten thousand servers do not become many times as many items to search.
 */
export const subjectPageItems = (query: string, subjects: readonly Findable<PaletteItem>[], recents: readonly string[]): PaletteItem[] => [
  ...pageItems(serverPages, query, { kind: 'Server', subjects, recents }),
  ...pageItems(sitePages, query, { kind: 'Site', subjects, recents }),
]

function pageItems(pages: readonly SubjectPage[], query: string, known: KnownSubjects): PaletteItem[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return pages.flatMap(({ path, name, Icon, words: own, extension = false }) => {
    const asked = words.findIndex((word) => word.length >= fewestLetters && own.some((each) => each.startsWith(word)))
    if (asked < 0) return []
    const rest = words.filter((_, place) => place !== asked).join(' ')
    return subjectsMeant(rest, known, extension, maxResults).map((subject): PaletteItem => {
      const href = `${subject.id}/${path}`
      return { ...subject, id: href, kind: 'Page', name: `${name} of ${subject.name}`, Icon, does: href }
    })
  })
}

/** All pages of one server or site, whose page is open. */
export const pagesOf = (subject: PaletteItem): Findable<PaletteItem>[] =>
  [overview, ...(subject.kind === 'Server' ? serverPages : sitePages)]
    .filter(({ extension }) => !extension || subject.extensions)
    .map(({ path, name, Icon, words }) => {
      const href = path === '' ? subject.id : `${subject.id}/${path}`
      return findable<PaletteItem>({ id: href, kind: 'Page', name, Icon, does: href }, name, words.join(' '))
    })

/** recents: ids, newest first; of a page of a server or site, its own first. */
export type KnownSubjects = { kind: PaletteItem['kind']; subjects: readonly Findable<PaletteItem>[]; recents: readonly string[] }

/** The servers or sites that words mean, best first; without any, the recent ones. extension: only those whose service announces them. */
export function subjectsMeant(
  words: string,
  { kind, subjects, recents }: KnownSubjects,
  extension: boolean,
  limit: number,
): readonly PaletteItem[] {
  const fitting = subjects.filter(({ entry }) => entry.kind === kind && (!extension || entry.extensions === true))
  if (words !== '') return findBest(fitting, words, limit)
  const byId = new Map(fitting.map(({ entry }) => [entry.id, entry]))
  return recents.flatMap((id) => byId.get(id) ?? [])
}
