/** The skeleton of each page. */

/**
 * home, list: those pages. filtered: fields of a filter above rows. rows: a titled table. cards: titled groups of facts or fields.
 * overview: figures above groups. job: steps and lines. log: lines. form: fields.
 */
export type Body = 'home' | 'list' | 'filtered' | 'rows' | 'cards' | 'overview' | 'job' | 'log' | 'form'

/** title: empty if only the page knows it. below: below another page, which its head names. tabs: of a server or site. */
export type Shape = { title: string; body: Body; below?: true; tabs?: true }

const subject = (body: Body): Shape => ({ title: '', body, below: true, tabs: true })
const below = (title: string, body: Body): Shape => ({ title, body, below: true })

/** By route. */
export const shapes: Readonly<Record<string, Shape>> = {
  '/': { title: 'Home', body: 'home' },
  '/servers': { title: 'Servers', body: 'list' },
  '/servers/new': below('Add server', 'form'),
  '/servers/[serverId]': subject('overview'),
  '/servers/[serverId]/access': subject('rows'),
  '/servers/[serverId]/backups': subject('rows'),
  '/servers/[serverId]/cron': subject('rows'),
  '/servers/[serverId]/firewall': subject('rows'),
  '/servers/[serverId]/install': subject('job'),
  '/servers/[serverId]/logs': subject('log'),
  '/servers/[serverId]/mail': subject('rows'),
  '/servers/[serverId]/settings': subject('cards'),
  '/servers/[serverId]/sites': subject('rows'),
  '/servers/[serverId]/users': subject('rows'),
  '/sites': { title: 'Sites', body: 'list' },
  '/sites/new': below('Add site', 'form'),
  '/sites/[siteId]': subject('overview'),
  '/sites/[siteId]/access': subject('rows'),
  '/sites/[siteId]/aliases': subject('rows'),
  '/sites/[siteId]/app': subject('cards'),
  '/sites/[siteId]/backups': subject('rows'),
  '/sites/[siteId]/database': subject('rows'),
  '/sites/[siteId]/email': subject('rows'),
  '/sites/[siteId]/logs': subject('log'),
  '/sites/[siteId]/settings': subject('cards'),
  '/sites/[siteId]/ssl': subject('cards'),
  '/backups': { title: 'Backups', body: 'list' },
  '/jobs': { title: 'Jobs', body: 'filtered' },
  '/jobs/[jobId]': below('', 'job'),
  '/jobs/batches/[batchId]': below('', 'rows'),
  '/activity': { title: 'Activity', body: 'filtered' },
  '/reach': below('', 'filtered'),
  '/team': { title: 'Team', body: 'rows' },
  '/team/[memberId]': below('', 'cards'),
  '/team/[memberId]/access': below('', 'rows'),
  '/team/backup-targets': below('Backup targets', 'rows'),
  '/team/channels': below('Team channels', 'rows'),
  '/team/requests': below('Access requests', 'rows'),
  '/keys': { title: 'Connections', body: 'rows' },
  '/keys/new': below('Add connection', 'form'),
  '/keys/[connectionId]': below('', 'cards'),
  '/approvals': { title: 'Approvals', body: 'rows' },
  '/approvals/[heldId]': below('', 'cards'),
  '/notifications': { title: 'Notifications', body: 'rows' },
  '/account': { title: 'Account', body: 'cards' },
  '/account/email': below('New email address', 'form'),
  '/account/notifications': below('Notification channels', 'rows'),
}

const segmentsOf = (path: string): string[] => path.split('/').filter(Boolean)

const routes = Object.entries(shapes).map(([route, shape]) => ({ segments: segmentsOf(route), shape }))

/** For an address without a page, which is answered by 404. */
const unknown: Shape = { title: '', body: 'cards' }

/** path: without a query. If two routes match, the one with a fixed last segment wins, such as `/servers/new`. */
export function shapeOf(path: string): Shape {
  const segments = segmentsOf(path)
  const fits = (part: string, index: number) => part.startsWith('[') || part === segments[index]
  const fitting = routes.filter((route) => route.segments.length === segments.length && route.segments.every(fits))
  const fixed = fitting.find((route) => !route.segments.at(-1)?.startsWith('['))
  return (fixed ?? fitting[0])?.shape ?? unknown
}

const subjectOf = (path: string): string | undefined => /^\/(?:servers|sites)\/(?!new$)[^/]+/.exec(path)?.[0]

/** Whether both are pages of the same server or site, so that its head stays. */
export function sharesHead(one: string, other: string): boolean {
  const subject = subjectOf(one)
  return subject !== undefined && subject === subjectOf(other)
}
