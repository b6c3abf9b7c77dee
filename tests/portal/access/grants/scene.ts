/** Two servers with sites, and grants over them. */
import type { Effect, Operation } from '@/lib/contract/operation'
import type { GrantScope } from '@/lib/portal/access/grants/grant'
import { toColumns, toScopeRow } from '@/lib/portal/access/grants/stored'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { runOperation } from '@/lib/portal/subjects/spine'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

/** Two servers with a site each, and a label on everything; names of the second contain "otter". */
export async function openScene(environment: Record<string, string> = {}) {
  const database = await openPortalDatabase({ environment })
  const upstream = await startUpstream({ extensions: true })
  const [lent, other] = [upstream.addServer({ name: 'heron-1' }), upstream.addServer({ name: 'otter-1' })]
  upstream.addSite({ id: '71', domain: 'shop.heron.example', server: lent })
  upstream.addSite({ id: '72', domain: 'blog.heron.example', server: lent })
  upstream.addSite({ id: '73', domain: 'shop.otter.example', server: other })
  const team = await createTeam()
  const owner = await team.join('owner')
  await team.connect(upstream)
  const { servers } = await listServers(owner)
  const { sites } = await listSites(owner)
  const idOf = (name: string) =>
    [...servers.map(({ id, name: own }) => [own, id]), ...sites.map(({ id, domain }) => [domain, id])].find(([own]) => own === name)?.[1] ??
    ''
  return {
    upstream,
    team,
    owner,
    idOf,
    [Symbol.asyncDispose]: async () => {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

type Given = { subjects?: 'all' | string[]; effects?: Effect[]; root?: boolean; until?: Date | null }

export async function give(
  { user, team }: Person,
  scope: GrantScope,
  { subjects = 'all', effects = ['read'], root = false, until = null }: Given = {},
) {
  const id = createOpaqueId()
  const scopes = { create: toScopeRow(scope) }
  const to = { teamId: team.id, userId: user.id, validFrom: new Date(0), until }
  await db().grant.create({ data: { id, ...to, ...toColumns({ subjects, effects, operations: [], root }), scopes } })
  return id
}

export const codeOf = async (actor: Person, operation: Operation, target: { serverId?: string; siteId?: string }, fields = {}) => {
  const outcome = await runOperation(actor, operation, target, fields)
  return outcome.ok ? 'ok' : outcome.problem.code
}
