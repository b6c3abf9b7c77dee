import { CircleHelp, Download, FlaskConical, Globe, Inbox, LogOut, type LucideIcon, Monitor, Moon, Plus, Server, Sun } from 'lucide-react'
import type { PaletteServer, PaletteSite } from '@/lib/portal/views/palette/entries'
import { toReadableDomain } from '@/lib/text/idn'
import { type Findable, findable, findBest } from '../../_ui/match'
import { navItems } from '../frame/nav-items'
import type { PaletteItem } from './palette-item'
import { serverActions } from './server-actions'
import { siteActions } from './site-actions'
import { subjectActionItems } from './subject-actions'
import { subjectPageItems } from './subject-pages'

export type PaletteGroup = { title: string; items: PaletteItem[] }

export type PaletteActions = { setTheme: (theme: 'system' | 'light' | 'dark') => void; signOut: () => void; showShortcuts: () => void }

type Found = Findable<PaletteItem>

/** Every named page, from the items of the sidebar. */
const pages: readonly Found[] = navItems.map(({ href, name, Icon, letter, also }) => {
  const item: PaletteItem = { id: `page ${href}`, kind: 'Page', name, Icon, does: href, ...(letter ? { strokes: ['g', letter] } : {}) }
  return findable(item, name, `go to page ${also}`)
})

/** Actions available everywhere; none acts on a server directly. */
export function actionItems(
  { mayChange, offersSandbox, requests }: { mayChange: boolean; offersSandbox: boolean; requests: number },
  { setTheme, signOut, showShortcuts }: PaletteActions,
): Found[] {
  const action = (name: string, Icon: LucideIcon, does: PaletteItem['does'], also: string, strokes?: readonly string[]) =>
    findable<PaletteItem>({ id: `action ${name}`, kind: 'Action', name, Icon, does, ...(strokes ? { strokes } : {}) }, name, also)
  const adding = [
    action('Add server', Plus, '/servers/new', 'new register create host machine'),
    action('Add site', Plus, '/sites/new', 'new create website domain'),
    ...(offersSandbox ? [action('Add sandbox server', FlaskConical, '/servers/new?provider=sandbox', 'new try simulated test')] : []),
  ]
  return [
    ...(mayChange ? adding : []),
    action(
      requests > 0 ? `Access requests (${requests})` : 'Access requests',
      Inbox,
      '/team/requests',
      'asked approve refuse grant rights',
    ),
    action('Show keyboard shortcuts', CircleHelp, showShortcuts, 'help keys', ['?']),
    action('Use the light theme', Sun, () => setTheme('light'), 'appearance colours bright'),
    action('Use the dark theme', Moon, () => setTheme('dark'), 'appearance colours night'),
    action('Use the system theme', Monitor, () => setTheme('system'), 'appearance colours'),
    action('Sign out', LogOut, signOut, 'log out leave end session'),
  ]
}

/** A server to open and, if it is not installed and the user may install it, its install page. */
export function serverItems(servers: readonly PaletteServer[], mayChange: boolean): Found[] {
  return servers.flatMap(({ id, name, hostname, sandbox, installable, extensions }) => {
    const href = `/servers/${id}`
    const item: PaletteItem = { id: href, kind: 'Server', name, Icon: Server, note: hostname, sandbox, extensions, does: href }
    const found = findable(item, name, `${hostname} server${sandbox ? ' sandbox' : ''}`)
    if (!mayChange || !installable) return [found]
    const install: PaletteItem = {
      ...item,
      id: `${href}/install`,
      kind: 'Action',
      name: `Install ${name}`,
      Icon: Download,
      does: `${href}/install`,
    }
    return [found, findable(install, install.name, hostname)]
  })
}

/** A site to open. */
export const siteItems = (sites: readonly PaletteSite[]): Found[] =>
  sites.map(({ id, domain, server, extensions }) => {
    const [href, name] = [`/sites/${id}`, toReadableDomain(domain)]
    const item: PaletteItem = { id: href, kind: 'Site', name, Icon: Globe, note: server, extensions, does: href }
    return findable(item, name, `${domain} ${server} site`)
  })

const maxResults = 50
const recentBonus = 15

/** subjects: servers and sites. */
type Offered = { subjects: readonly Found[]; actions: readonly Found[]; recents: readonly string[]; mayChange: boolean }

/** The groups for a query; for an empty one recent servers and sites, pages and actions. */
export function groupsFor(query: string, { subjects, actions, recents, mayChange }: Offered): PaletteGroup[] {
  if (query.trim() !== '') {
    const favour = ({ id, kind }: PaletteItem) => (recents.includes(id) ? recentBonus : kind === 'Action' ? -1 : 0)
    const changes = [
      ...subjectActionItems(serverActions, query, { kind: 'Server', subjects, recents }),
      ...subjectActionItems(siteActions, query, { kind: 'Site', subjects, recents }),
    ]
    const below = [...(mayChange ? changes : []), ...subjectPageItems(query, subjects, recents)]
    return [
      { title: 'Results', items: [...below, ...findBest([...pages, ...actions, ...subjects], query, maxResults - below.length, favour)] },
    ]
  }
  const byId = new Map(subjects.map(({ entry }) => [entry.id, entry]))
  const recent = recents.flatMap((href) => byId.get(href) ?? [])
  const groups = [
    { title: 'Recent', items: recent },
    { title: 'Go to', items: pages.map(({ entry }) => entry) },
    { title: 'Actions', items: actions.map(({ entry }) => entry) },
  ]
  return groups.filter(({ items }) => items.length > 0)
}
