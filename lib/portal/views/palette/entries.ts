/** The command palette's servers and sites: those a user may see, read from the database. */
import 'server-only'
import { readChoiceNames } from '@/lib/portal/access/choice-names'
import { findSimulating, isSimulated, listListingConnections, listUsableConnections, upstreamOf } from '@/lib/portal/access/connections'
import { may } from '@/lib/portal/access/roles'
import { findSight, serversListedFor, sitesListedFor } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import { nextTurn } from '@/lib/portal/base/turns'
import type { Actor, Person } from '@/lib/portal/identity/actor'
import { type JobName, listJobNames } from '@/lib/portal/jobs/view'
import { siteDetails } from '@/lib/portal/subjects/sites/details'
import { listPeople } from '@/lib/portal/subjects/team/people'
import { countAnswerable } from '@/lib/portal/subjects/team/requests/list'
import { compareTexts } from '@/lib/text/compare'

/** name: as choices show it. address: its IP address or name, empty if unknown. installable: not installed yet, or the last attempt failed. extensions: its service announces them. */
export type PaletteServer = {
  id: string
  name: string
  hostname: string
  address: string
  sandbox: boolean
  installable: boolean
  extensions: boolean
}

/** aliases: its other domains, as the newest list had them. */
export type PaletteSite = { id: string; domain: string; aliases: readonly string[]; server: string; extensions: boolean }

export type PalettePerson = { id: string; name: string }

/** people: present members; for a guest only themselves. jobs: the newest. requests: for access, which wait for the reader. */
export type Palette = {
  servers: PaletteServer[]
  sites: PaletteSite[]
  people: PalettePerson[]
  jobs: JobName[]
  mayInvite: boolean
  offersSandbox: boolean
  requests: number
}

const readAtOnce = 500
const maxJobs = 50

export async function readPalette(actor: Person): Promise<Palette> {
  const servers = await listServers(actor)
  const names = new Map(servers.map(({ id, name }) => [id, name]))
  const [sites, connections, requests, listed, jobs] = await Promise.all([
    listSites(actor, names),
    listUsableConnections(actor),
    countAnswerable(actor),
    listPeople(actor),
    listJobNames(actor, maxJobs),
  ])
  const people = listed.filter(({ former }) => !former).map(({ id, name }) => ({ id, name }))
  const mayInvite = may(actor.role, 'team', 'change')
  return { servers, sites, people, jobs, mayInvite, offersSandbox: findSimulating(connections) !== undefined, requests }
}

/** The connections that list something for the user, by upstream. */
const findServices = async (actor: Actor) =>
  new Map((await listListingConnections(actor)).map((connection) => [upstreamOf(connection), connection]))

/**
 * By name. Calls no service, because the palette has to appear immediately, even with 10,000 servers.
 */
async function listServers(actor: Actor): Promise<PaletteServer[]> {
  const [services, sees] = await Promise.all([findServices(actor), findSight(actor)])
  const servers: PaletteServer[] = []
  for await (const page of inSlices((after) => readServersAfter(actor, after))) {
    for (const { id, name, hostname, address, origin, state, ...server } of page) {
      if (!sees({ kind: 'server', serverId: id })) continue
      const service = services.get(origin)
      const sandbox = service !== undefined && isSimulated(server, service)
      const extensions = service?.extensions ?? false
      servers.push({ id, name, hostname, address, sandbox, installable: state === 'new' || state === 'failed', extensions })
    }
  }
  const names = await readChoiceNames(actor, servers)
  for (const server of servers) server.name = names.get(server.id) ?? server.name
  return servers.sort((one, other) => compareTexts(one.name, other.name) || compareTexts(one.id, other.id))
}

/** By domain, as little of each as the palette shows. names: of servers, as choices show them. */
async function listSites(actor: Actor, names: ReadonlyMap<string, string>): Promise<PaletteSite[]> {
  const [services, sees] = await Promise.all([findServices(actor), findSight(actor)])
  const sites: PaletteSite[] = []
  for await (const page of inSlices((after) => readSitesAfter(actor, after))) {
    for (const { id, domain, details, serverId, server, origin } of page) {
      if (!sees({ kind: 'site', siteId: id, serverId })) continue
      sites.push({
        id,
        domain,
        aliases: siteDetails.read(details).aliases,
        server: names.get(server?.id ?? '') ?? server?.name ?? '',
        extensions: services.get(origin)?.extensions ?? false,
      })
    }
  }
  return sites.sort((one, other) => compareTexts(one.domain, other.domain) || compareTexts(one.id, other.id))
}

/** Rows in the order of their ids, hundreds at a time. Database reads are synchronous and block the process meanwhile. */
async function* inSlices<Row extends { id: string }>(readAfter: (id: string) => Promise<Row[]>): AsyncGenerator<Row[]> {
  let [last, more] = ['', true]
  while (more) {
    const page = await readAfter(last)
    yield page
    last = page.at(-1)?.id ?? ''
    more = page.length === readAtOnce
    if (more) await nextTurn()
  }
}

const readSitesAfter = async (actor: Actor, last: string) =>
  db().site.findMany({
    where: { ...(await sitesListedFor(actor)), id: { gt: last } },
    select: { id: true, domain: true, details: true, origin: true, serverId: true, server: { select: { id: true, name: true } } },
    orderBy: { id: 'asc' },
    take: readAtOnce,
  })

const readServersAfter = async (actor: Actor, last: string) =>
  db().server.findMany({
    where: { ...(await serversListedFor(actor)), id: { gt: last } },
    select: { id: true, name: true, hostname: true, address: true, origin: true, provider: true, state: true },
    orderBy: { id: 'asc' },
    take: readAtOnce,
  })
