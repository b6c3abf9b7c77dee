import {
  AppWindow,
  Archive,
  AtSign,
  Bell,
  CalendarClock,
  CircleX,
  Database,
  Fingerprint,
  Gauge,
  Globe,
  Laptop,
  Lock,
  type LucideIcon,
  Mail,
  Moon,
  ScrollText,
  Settings,
  Shield,
  ShieldCheck,
  UsersRound,
} from 'lucide-react'
import { type Findable, findable, findBest } from '../../_ui/match'
import { navItems } from '../frame/nav-items'

/** One item of the palette. */
export type PaletteItem = {
  id: string
  kind: 'Server' | 'Site' | 'Job' | 'Member' | 'Page' | 'Action'
  name: string
  Icon: LucideIcon
  /** Shown next to the name: a hostname, the server of a site, or how a job ended. */
  note?: string
  sandbox?: boolean
  /** The service of the server or site announces extensions. */
  extensions?: boolean
  /** The shortcut that does the same. */
  strokes?: readonly string[]
  /** An address to navigate to, or a function to call. */
  does: string | (() => void)
  /** The control there that starts it. */
  begins?: string
}

type Found = Findable<PaletteItem>

/** Every named page, from the items of the sidebar. */
export const pageItems: readonly Found[] = navItems.map(({ href, name, Icon, letter, also }) => {
  const item: PaletteItem = { id: `page ${href}`, kind: 'Page', name, Icon, does: href, ...(letter ? { strokes: ['g', letter] } : {}) }
  return findable(item, name, `go to page ${also}`)
})

const place = (name: string, Icon: LucideIcon, does: string, also: string): Found =>
  findable<PaletteItem>({ id: `place ${name}`, kind: 'Page', name, Icon, does }, name, also)

/** Parts of pages, and lists with a filter, that are found by what one looks for; too many to list unasked. */
export function placeItems(now: Date, timeZone: string): Found[] {
  const night = `from=${dayIn(timeZone, now.getTime() - dayMs)}&to=${dayIn(timeZone, now.getTime())}`
  return [
    place('Passkeys', Fingerprint, '/account#passkeys', 'passkey sign in face touch security key'),
    place('Second factor', ShieldCheck, '/account#second-factor', '2fa two-factor authenticator app code recovery codes'),
    place('Sessions', Laptop, '/account#sessions', 'devices signed in end session'),
    place('Your notification channels', Bell, '/account/notifications', 'mail email webhook slack alerts'),
    place('Failed jobs', CircleX, '/jobs?outcome=failed', 'failures errors broken'),
    place('Failed actions', CircleX, '/activity?outcome=failed', 'failures errors refused sign-ins'),
    place('Jobs of last night', Moon, `/jobs?${night}`, 'yesterday overnight nightly backups'),
    place('Activity of last night', Moon, `/activity?${night}`, 'yesterday overnight nightly happened'),
  ]
}

const dayMs = 86_400_000

/** YYYY-MM-DD, as filters have it. */
const dayIn = (timeZone: string, moment: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(moment)

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
  ...itemsOf(serverPages, query, { kind: 'Server', subjects, recents }),
  ...itemsOf(sitePages, query, { kind: 'Site', subjects, recents }),
]

function itemsOf(pages: readonly SubjectPage[], query: string, known: KnownSubjects): PaletteItem[] {
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
