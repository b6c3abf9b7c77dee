/** Two servers with sites that nothing but an operator's own connection lists, and loans of it. */
import type { Effect } from '@/lib/contract/operation'
import type { GrantScope } from '@/lib/portal/access/grants/grant'
import { toColumns, toScopeRow } from '@/lib/portal/access/grants/stored'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Role } from '@/lib/portal/identity/actor'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream, type UpstreamOptions } from '@/tests/support/upstream/upstream'

/** Names of what is not lent contain "otter" or "blog". by: whose connection it is. */
export async function openLending(options: UpstreamOptions = {}, by: 'operator' | 'owner' = 'operator') {
  const database = await openPortalDatabase()
  const upstream = await startUpstream({ extensions: true, ...options })
  const [lent, other] = [upstream.addServer({ name: 'heron-1' }), upstream.addServer({ name: 'otter-1' })]
  upstream.addSite({ id: '71', domain: 'shop.heron.example', server: lent })
  upstream.addSite({ id: '72', domain: 'blog.heron.example', server: lent })
  upstream.addSite({ id: '73', domain: 'shop.otter.example', server: other })
  const team = await createTeam()
  const owner = await team.join('owner')
  const lender = by === 'owner' ? owner : await team.join('operator')
  const connectionId = await team.connect(upstream, { ownerId: lender.user.id, label: 'Robin’s key' })
  const [{ servers }, { sites }] = [await listServers(lender), await listSites(lender)]
  const ids = new Map([...servers.map(({ id, name }) => [name, id] as const), ...sites.map(({ id, domain }) => [domain, id] as const)])
  return {
    upstream,
    team,
    owner,
    lender,
    connectionId,
    idOf: (name: string) => ids.get(name) ?? '',
    [Symbol.asyncDispose]: async () => {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

type Lending = Awaited<ReturnType<typeof openLending>>

/** to: absent for the whole team. */
type Lent = {
  to?: { userId: string } | { role: Role }
  scope: GrantScope
  subjects?: 'all' | string[]
  effects?: Effect[]
  root?: boolean
  until?: Date | null
}

export async function lend(
  { team, connectionId }: Lending,
  { to, scope, subjects = 'all', effects = ['read'], root = false, until = null }: Lent,
): Promise<string> {
  const id = createOpaqueId()
  const row = { id, teamId: team.id, connectionId, ...to, validFrom: new Date(0), until }
  await db().loan.create({
    data: { ...row, ...toColumns({ subjects, effects, operations: [], root }), scopes: { create: toScopeRow(scope) } },
  })
  return id
}
