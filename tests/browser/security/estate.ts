/** A running Gatehouse with two teams on two foreign services; the first team has a server, a site and an install. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { buildFolder } from '@/lib/launcher/build.mjs'
import { log } from '@/lib/log'
import { db } from '@/lib/portal/base/db'
import { openRing } from '@/lib/portal/custody/ring'
import type { Role } from '@/lib/portal/identity/actor'
import { describeCookie, sealSid } from '@/lib/portal/identity/cookie'
import { openSession } from '@/lib/portal/identity/session'
import { draftConnection, keepConnection } from '@/lib/portal/subjects/connections/create'
import { siteDetails } from '@/lib/portal/subjects/sites/details'
import { giveEverything } from '../../support/everything'
import { type Gatehouse, makePlace, type Place, startGatehouse } from '../../support/gatehouse-process'
import { lookInto } from '../../support/portal-database'
import { startUpstream, type Upstream, type UpstreamOptions } from '../../support/upstream/upstream'
import { type ActionAddress, type ActionAnswer, callAction, codeOf, Form } from './action-call'
import { readActions, readRoutes } from './build'
import { type Answer, type Caller, createCaller } from './caller'

/** A signed-in user. */
export type Person = { userId: string; sessionId: string; cookie: string }

type Team = { id: string; upstream: Upstream; connectionId: string }

export type Estate = AsyncDisposable & {
  gatehouse: Gatehouse
  place: Place
  caller: Caller
  /** The folder of the running build. */
  build: string
  /** Every route of the build by its path with placeholders; every action by its file and name. */
  routes: readonly string[]
  actions: ReadonlyMap<string, ActionAddress>
  teams: Record<'ours' | 'theirs', Team>
  /** The user who set up the portal: the owner of `ours`. */
  owner: Person
  /** Objects of `ours`, by the portal's own ids. */
  serverId: string
  serverName: string
  siteId: string
  siteDomain: string
  jobId: string
  /** A batch that has ended, with one target. */
  batchId: string
  /** Deletes a cron job that was saved. */
  undoId: string
  /** Texts that occur only in the first team's data. */
  marks: readonly string[]
  /** A new member of a team, signed in. */
  join(team: 'ours' | 'theirs', role: Role): Promise<Person>
  /** The route with its placeholders replaced by the ids of `ours`, or by those given. */
  pathOf(route: string, ids?: Record<string, string>): string
  /** The action of that name, on a page of the team's server. */
  action(name: string): ActionAddress
}

/** Secrets to search for in all output: the first team's API key, and a host's password. Special characters reveal escaping. */
export const canaries = { key: `key-canary/"+&%<\\${'k7'.repeat(8)}`, password: `pass-canary/"+&%<\\${'p9'.repeat(8)}` }

export const person = { name: 'Ottoline Quist', email: 'ottoline@lanternworks.test', password: 'eleven-grey-herons-upstream' }

const serverName = 'lantern-web-01'
const domain = 'shop.lanternworks.test'
const newId = () => randomBytes(16).toString('base64url')

/** This process reads and writes the running portal's database as a second process may. */
async function attachTo(place: Place): Promise<AsyncDisposable> {
  const look = lookInto(place)
  log.level = 'silent'
  await openRing()
  return look
}

async function joinTeam(teamId: string, role: Role): Promise<Person> {
  const userId = newId()
  const user = { id: userId, email: `${userId.toLowerCase()}@lanternworks.test`, name: `The ${role}`, passwordHash: 'x' }
  await db().user.create({ data: { ...user, memberships: { create: { teamId, role, ...giveEverything(role) } } } })
  const sid = await openSession({ userId, teamId }, { peer: '127.0.0.1', userAgent: 'test' })
  const session = await db().session.findFirstOrThrow({ where: { userId } })
  return { userId, sessionId: session.id, cookie: `${describeCookie('session').name}=${await sealSid(sid)}` }
}

/** The cookies that an answer sets, in the format of a request. */
export const cookieOf = (answer: Answer): string => (answer.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ')

type Act = (name: string, fields: Record<string, string>, page?: string) => Promise<ActionAnswer>

/** Sets up the portal with its form. The service fails the first time and repeats the API key in its answer; the link stays valid. */
async function setUp(act: Act, upstream: Upstream, link: string | null): Promise<Person> {
  const { search, searchParams } = new URL(link ?? '')
  const fields = { token: searchParams.get('token') ?? '', teamName: 'Lanternworks', apiKey: canaries.key, ...person }
  upstream.set('echo-key', { times: 1 })
  await act('app/(public)/setup/actions.ts setUp', fields, `/setup${search}`)
  const answer = await act('app/(public)/setup/actions.ts setUp', fields, `/setup${search}`)
  const cookie = cookieOf(answer)
  if (cookie === '') throw new Error(`The portal was not set up: ${answer.status} ${answer.text}`)
  const session = await db().session.findFirstOrThrow()
  return { userId: session.userId, sessionId: session.id, cookie }
}

/** Adds and installs a server with the forms, and saves a job on it, which also shows that direct calls of actions work. */
async function makeServer(act: Act): Promise<{ serverId: string; jobId: string; undoId: string }> {
  type Done = { serverId?: string; jobId?: string; undo?: string }
  const done = async (name: string, fields: Record<string, string>): Promise<Done> => {
    const answer = await act(name, fields)
    if (codeOf(answer) !== 'ok') throw new Error(`${name} was not done: ${answer.status} ${answer.text}`)
    return (answer.value as { data: object }).data
  }
  const login = { host: '192.0.2.10', port: '22', user: 'root', pass: canaries.password }
  const fields = { provider: 'custom', dns: 'None', name: serverName, region: '', type: '', ...login }
  const { serverId = '' } = await done('app/(portal)/servers/actions.ts createServer', fields)
  const { jobId = '' } = await done('app/(portal)/servers/[serverId]/actions.ts installServer', { serverId })
  const job = { minute: '0', hour: '5', dom: '*', mon: '*', dow: '*', user: 'root', command: '/usr/bin/kept' }
  const { undo: undoId = '' } = await done('app/(portal)/servers/[serverId]/actions.ts saveCronJob', { serverId, ...job })
  return { serverId, jobId, undoId }
}

async function makeSite(ours: Team, serverId: string): Promise<string> {
  const upstreamId = ours.upstream.addSite({ domain })
  const place = { teamId: ours.id, serverId, origin: ours.upstream.origin }
  const connections = { create: { connectionId: ours.connectionId, provenAt: new Date() } }
  // As the service lists it, so that the next list changes nothing.
  const upstreamServerId = ours.upstream.model.sites.get(upstreamId)?.server ?? ''
  const details = siteDetails.write({ usage: '104857600', address: '192.0.2.10', mx: 'mail.example.org' })
  const listed = { domain, upstreamServerId, details, ssl: 'off' }
  return (await db().site.create({ data: { id: newId(), ...place, upstreamId, ...listed, listedAt: new Date(), connections } })).id
}

async function makeBatch({ userId, sessionId }: Person, teamId: string, siteId: string): Promise<string> {
  const [id, endedAt] = [newId(), new Date()]
  const target = { seq: 0, siteId, name: domain, state: 'failed' as const, requestId: newId(), endedAt }
  const started = { teamId, startedById: userId, sessionId, operation: 'backups.create', mode: 'goOn' as const, atOnce: 1 }
  await db().batch.create({ data: { id, ...started, lease: '', endedAt, targets: { create: target } } })
  return id
}

/** Another team with its own service and a server, which the portal knows because it was listed once. */
async function makeOtherTeam(caller: Caller, upstream: Upstream): Promise<Team> {
  const { id } = await db().team.create({ data: { id: newId(), name: 'Another team' } })
  upstream.addServer({ name: 'their-own-server' })
  const place = { kind: 'foreign', origin: upstream.origin, key: upstream.key } as const
  const connection = await draftConnection({ teamId: id, ownerId: null, label: 'Theirs', ...place })
  await keepConnection(connection)
  await caller.call('/api/servers', { cookie: (await joinTeam(id, 'owner')).cookie })
  return { id, upstream, connectionId: connection.id }
}

/** Creates everything once the portal runs. */
async function furnish(caller: Caller, gatehouse: Gatehouse, build: string, ours: Upstream, theirs: Upstream) {
  const actions = readActions(build)
  let cookie: string | undefined
  const act: Act = (name, fields, page) => {
    const action = actions.get(name) ?? { id: '', page: '/' }
    return callAction(caller, { ...action, page: page ?? action.page }, [null, new Form(fields)], { cookie })
  }
  const owner = await setUp(act, ours, gatehouse.setupLink)
  cookie = owner.cookie
  const { serverId, jobId, undoId } = await makeServer(act)
  // Ends when the install does, after every line was sent, so that nothing runs in the background afterwards.
  await caller.call(`/api/jobs/${jobId}/events`, { cookie })
  const { teamId, id: connectionId } = await db().connection.findFirstOrThrow()
  const teams = { ours: { id: teamId, upstream: ours, connectionId }, theirs: await makeOtherTeam(caller, theirs) }
  const siteId = await makeSite(teams.ours, serverId)
  return { actions, owner, serverId, jobId, undoId, teams, siteId, batchId: await makeBatch(owner, teamId, siteId) }
}

/**
 * Starts everything. `cwd` is a built project, by default this one; `manner` says how the first team's service behaves;
 * `environment` has additional settings, which override those set here.
 */
export async function openEstate(
  cwd = process.cwd(),
  manner: UpstreamOptions = {},
  environment: Record<string, string> = {},
): Promise<Estate> {
  const [ours, theirs] = await Promise.all([
    startUpstream({ key: canaries.key, extensions: true, ...manner }),
    startUpstream({ extensions: true }),
  ])
  const upstreams = { UPSTREAM_URL: ours.origin, ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8' }
  const place = await makePlace({ ...upstreams, LOG_LEVEL: 'debug', ...environment })
  const gatehouse = await startGatehouse(place, cwd)
  const build = join(cwd, buildFolder(cwd))
  const caller = createCaller(place.port)
  const look = await attachTo(place)
  const furniture = await furnish(caller, gatehouse, build, ours, theirs)
  const { actions, owner, teams, serverId, jobId } = furniture
  const own: Record<string, string> = {
    serverId,
    siteId: furniture.siteId,
    jobId,
    batchId: furniture.batchId,
    memberId: owner.userId,
    id: 'servers.summary',
    '...nextauth': 'session',
  }
  const pathOf: Estate['pathOf'] = (route, ids = {}) =>
    route.replace(/\[([^\]]+)\]/g, (_, name: string) => ids[name] ?? own[name] ?? 'nothing')
  return {
    gatehouse,
    place,
    caller,
    build,
    ...furniture,
    serverName,
    siteDomain: domain,
    pathOf,
    routes: readRoutes(build),
    marks: ['Lanternworks', serverName, domain, person.name, person.email, 'of 10: '],
    join: (team, role) => joinTeam(teams[team].id, role),
    action: (name) => {
      const found = [...actions].find(([key]) => key.endsWith(` ${name}`))?.[1]
      if (!found) throw new Error(`The build has no action ${name}.`)
      return { ...found, page: pathOf(found.page) }
    },
    async [Symbol.asyncDispose]() {
      caller[Symbol.dispose]()
      await gatehouse.stop()
      await look[Symbol.asyncDispose]()
      await Promise.all([ours[Symbol.asyncDispose](), theirs[Symbol.asyncDispose]()])
      place[Symbol.dispose]()
    },
  }
}
