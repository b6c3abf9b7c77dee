/** Somebody of a team, before a service that lists one server. */
import { db } from '@/lib/portal/base/db'
import type { Person as Actor, Role } from '@/lib/portal/identity/actor'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream, type Upstream } from '@/tests/support/upstream/upstream'

export type Desk = AsyncDisposable & {
  upstream: Upstream
  /** The server's id at the service, and the portal's own. */
  upstreamId: string
  serverId: string
  team: Awaited<ReturnType<typeof createTeam>>
  actor: Actor
}

/** The server is called alpha. */
export async function openDesk(role: Role, options: Parameters<typeof startUpstream>[0] = {}): Promise<Desk> {
  const database = await openPortalDatabase()
  const upstream = await startUpstream(options)
  const upstreamId = upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join(role)
  await team.connect(upstream)
  const serverId = await listedId(actor, 'alpha')
  return {
    upstream,
    upstreamId,
    serverId,
    team,
    actor,
    [Symbol.asyncDispose]: async () => {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** The portal's own id of a server that is in the list. */
export async function listedId(actor: Actor, name: string): Promise<string> {
  const found = (await listServers(actor)).servers.find((server) => server.name === name)
  if (!found) throw new Error(`${name} is not listed`)
  return found.id
}

/** The record in its order, each row in three words. */
export const auditRows = async (): Promise<string[]> =>
  (await db().auditRow.findMany({ orderBy: { seq: 'asc' } })).map(({ action, stage, outcome }) => `${action} ${stage} ${outcome}`)
