import {
  CircleHelp,
  Download,
  FlaskConical,
  Globe,
  Inbox,
  ListChecks,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  Plus,
  ScrollText,
  Server,
  Sun,
  UserPlus,
  UserRound,
} from 'lucide-react'
import type { JobName } from '@/lib/portal/jobs/view'
import type { Palette, PalettePerson, PaletteServer, PaletteSite } from '@/lib/portal/views/palette/entries'
import { toReadableDomain } from '@/lib/text/idn'
import { type Findable, findable, findBest } from '../../_ui/match'
import { jobStates, jobTitleFormat } from '../jobs/job-state'
import { type PaletteItem, pageItems, pagesOf, subjectPageItems } from './page-items'
import { subjectOf } from './recents'
import { actionsOf, serverActions, siteActions, subjectActionItems } from './subject-actions'

type Found = Findable<PaletteItem>

/** The server or site whose page is open, and what one can do with it and open of it. */
type Here = { subject: PaletteItem; actions: readonly Found[]; pages: readonly Found[] }

/** Null for any other page, and for a server or site that the reader does not see. */
export function findHere(path: string, subjects: readonly Found[], mayChange: boolean): Here | null {
  const id = subjectOf(path)
  const subject = subjects.find(({ entry }) => entry.id === id)?.entry
  if (!subject) return null
  return {
    subject,
    actions: mayChange ? actionsOf(subject.kind === 'Server' ? serverActions : siteActions, subject) : [],
    pages: pagesOf(subject).filter(({ entry }) => entry.id !== path),
  }
}

export type PaletteGroup = { title: string; items: PaletteItem[] }

type PaletteActions = { setTheme: (theme: 'system' | 'light' | 'dark') => void; signOut: () => void; showShortcuts: () => void }

/** Actions available everywhere; none acts on a server directly. */
export function actionItems(
  { mayChange, mayInvite, offersSandbox, requests }: { mayChange: boolean } & Pick<Palette, 'mayInvite' | 'offersSandbox' | 'requests'>,
  { setTheme, signOut, showShortcuts }: PaletteActions,
): Found[] {
  const action = (
    name: string,
    Icon: LucideIcon,
    does: PaletteItem['does'],
    also: string,
    more: Pick<PaletteItem, 'strokes' | 'begins'> = {},
  ) => findable<PaletteItem>({ id: `action ${name}`, kind: 'Action', name, Icon, does, ...more }, name, also)
  const adding = [
    action('Add server', Plus, '/servers/new', 'new register create host machine'),
    action('Add site', Plus, '/sites/new', 'new create website domain'),
    ...(offersSandbox ? [action('Add sandbox server', FlaskConical, '/servers/new?provider=sandbox', 'new try simulated test')] : []),
  ]
  return [
    ...(mayChange ? adding : []),
    ...(mayInvite
      ? [action('Invite member', UserPlus, '/team', 'new add person user colleague invitation', { begins: '#invite-member' })]
      : []),
    action(
      requests > 0 ? `Access requests (${requests})` : 'Access requests',
      Inbox,
      '/team/requests',
      'asked approve refuse grant rights',
    ),
    action('Show keyboard shortcuts', CircleHelp, showShortcuts, 'help keys', { strokes: ['?'] }),
    action('Use the light theme', Sun, () => setTheme('light'), 'appearance colours bright'),
    action('Use the dark theme', Moon, () => setTheme('dark'), 'appearance colours night'),
    action('Use the system theme', Monitor, () => setTheme('system'), 'appearance colours'),
    action('Sign out', LogOut, signOut, 'log out leave end session'),
  ]
}

/** A server to open and, if it is not installed and the user may install it, its install page. */
export function serverItems(servers: readonly PaletteServer[], mayChange: boolean): Found[] {
  return servers.flatMap(({ id, name, hostname, address, sandbox, installable, extensions }) => {
    const href = `/servers/${id}`
    const item: PaletteItem = { id: href, kind: 'Server', name, Icon: Server, note: hostname, sandbox, extensions, does: href }
    const found = findable(item, name, `${hostname} ${address} server${sandbox ? ' sandbox' : ''}`)
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

/** A site to open, found by its aliases too. */
export const siteItems = (sites: readonly PaletteSite[]): Found[] =>
  sites.map(({ id, domain, aliases, server, extensions }) => {
    const [href, name] = [`/sites/${id}`, toReadableDomain(domain)]
    const item: PaletteItem = { id: href, kind: 'Site', name, Icon: Globe, note: server, extensions, does: href }
    const others = aliases.flatMap((alias) => [alias, toReadableDomain(alias)])
    return findable(item, name, [domain, ...others, server, 'site'].join(' '))
  })

/** The newest jobs, by what they did and when. now: ms since 1970. */
export function jobItems(jobs: readonly JobName[], reading: { timeZone: string; now: number }): Found[] {
  const titleOf = jobTitleFormat(reading)
  return jobs.map((job) => {
    const [href, name] = [`/jobs/${job.id}`, titleOf(job)]
    const { label } = jobStates[job.state]
    return findable<PaletteItem>({ id: href, kind: 'Job', name, Icon: ListChecks, note: label, does: href }, name, `${label} job`)
  })
}

/** What a member did and, for those who may change it, what they may do. */
export const personItems = (people: readonly PalettePerson[], mayInvite: boolean): Found[] =>
  people.flatMap(({ id, name }) => {
    const activity = `/activity?person=${id}`
    const [did, may] = [`Activity of ${name}`, `/team/${id}/access`]
    return [
      ...(mayInvite
        ? [findable<PaletteItem>({ id: may, kind: 'Member', name, Icon: UserRound, does: may }, name, 'person member access')]
        : []),
      findable<PaletteItem>({ id: activity, kind: 'Page', name: did, Icon: ScrollText, does: activity }, did, ''),
    ]
  })

const maxResults = 50
const maxHere = 12
const recentBonus = 15

/** subjects: servers and sites. others: what is found by searching only, as members are. here: null on pages that are about neither. */
type Offered = {
  here: Here | null
  subjects: readonly Found[]
  others: readonly Found[]
  actions: readonly Found[]
  recents: readonly string[]
  mayChange: boolean
}

/** The groups for a query; for an empty one those of the open page, recent servers and sites, pages and actions. */
export function groupsFor(query: string, offered: Offered): PaletteGroup[] {
  if (query.trim() !== '') {
    const items = searchItems(query, offered)
    return [{ title: 'Results', items: items.length > 0 ? items : unknownAddressItems(query, offered.mayChange) }]
  }
  const { here, subjects, actions, recents } = offered
  const byId = new Map(subjects.map(({ entry }) => [entry.id, entry]))
  const recent = recents.flatMap((href) => (href === here?.subject.id ? [] : (byId.get(href) ?? [])))
  const groups = [
    { title: here?.subject.name ?? '', items: here ? [...here.actions, ...here.pages].map(({ entry }) => entry) : [] },
    { title: 'Recent', items: recent },
    { title: 'Go to', items: pageItems.map(({ entry }) => entry) },
    { title: 'Actions', items: actions.map(({ entry }) => entry) },
  ]
  return groups.filter(({ items }) => items.length > 0)
}

/**
 * Best first: what is called exactly that, then actions and pages of the server or site whose page is open, then of those that the
 * words name, then everything else.
 */
function searchItems(query: string, { here, subjects, others, actions, recents, mayChange }: Offered): PaletteItem[] {
  const favour = ({ id, kind }: PaletteItem) => (recents.includes(id) ? recentBonus : kind === 'Action' ? -1 : 0)
  const near = here ? [here.subject.id, ...recents.filter((id) => id !== here.subject.id)] : recents
  const changes = [
    ...subjectActionItems(serverActions, query, { kind: 'Server', subjects, recents: near }),
    ...subjectActionItems(siteActions, query, { kind: 'Site', subjects, recents: near }),
  ]
  const own = here ? [...findBest(here.actions, query, maxHere), ...findBest(here.pages, query, maxHere)] : []
  const below = [...(mayChange ? changes : []), ...subjectPageItems(query, subjects, near)]
  const rest = findBest([...pageItems, ...actions, ...others, ...subjects], query, maxResults, favour)
  const named = own.map((item) => ({ ...item, note: here?.subject.name ?? '' }))
  const seen = new Set<string>()
  const all = [...named, ...below, ...rest].filter(({ id }) => !seen.has(id) && seen.add(id))
  const wanted = query.trim().toLowerCase()
  const isExact = ({ name }: PaletteItem) => name.toLowerCase() === wanted
  return [...all.filter(isExact), ...all.filter((item) => !isExact(item))].slice(0, maxResults)
}

/** What to do with an address that nothing here has: look for it in the audit log, or add a site of that name. */
function unknownAddressItems(query: string, mayChange: boolean): PaletteItem[] {
  const text = query.trim().toLowerCase()
  if (!isAddress(text)) return []
  const search = `/activity?target=${encodeURIComponent(text)}`
  const log: PaletteItem = { id: search, kind: 'Page', name: `Activity about ${text}`, Icon: ScrollText, does: search }
  const adding = `/sites/new?domain=${encodeURIComponent(text)}`
  const add: PaletteItem = { id: adding, kind: 'Action', name: `Add site ${text}`, Icon: Plus, does: adding }
  return mayChange && /\.\p{L}[^.]*$/u.test(text) ? [add, log] : [log]
}

/** A domain, or an IP address of either version; parts of one as well. */
const isAddress = (text: string): boolean =>
  /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u.test(text) || /^[\da-f]{0,4}(:[\da-f]{0,4}){2,7}$/.test(text)
