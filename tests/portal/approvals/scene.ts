/** A team with a rule: an operator who asks, an admin who approves, and an owner. */
import { contract } from '@/lib/contract'
import { approveHeld } from '@/lib/portal/approvals/approve'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import { startJob } from '@/lib/portal/jobs/start'
import { ruleNames } from '@/lib/portal/spine/held/rule'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { runOperation } from '@/lib/portal/subjects/spine'
import { inputOf, signedInLately } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

/** Two servers with a site each. */
export async function openScene({ rule = ruleNames.join(',') } = {}) {
  const database = await openPortalDatabase()
  const upstream = await startUpstream({ extensions: true })
  const [alpha, beta] = [upstream.addServer({ name: 'alpha' }), upstream.addServer({ name: 'beta' })]
  upstream.addSite({ id: '71', domain: 'shop.example', server: alpha })
  upstream.addSite({ id: '72', domain: 'blog.example', server: beta })
  const team = await createTeam()
  const [owner, asker, approver] = [await team.join('owner'), await team.join('operator'), await team.join('admin')]
  const connectionId = await team.connect(upstream)
  const { servers } = await listServers(owner)
  const { sites } = await listSites(owner)
  const idOf = (name: string): string =>
    servers.find((server) => server.name === name)?.id ?? sites.find(({ domain }) => domain === name)?.id ?? ''
  await db().team.update({ where: { id: team.id }, data: { secondPersonFor: rule } })
  upstream.calls.length = 0
  const prove = { stepUp: signedInLately }
  return {
    upstream,
    upstreamIds: { alpha, beta },
    team,
    owner,
    asker,
    approver,
    connectionId,
    idOf,
    /** Each as its page sends it. */
    ask: {
      deleteServer: (by: Person = asker) =>
        runOperation(by, contract.servers.delete, { serverId: idOf('alpha') }, {}, { confirmName: 'alpha', ...prove }),
      deleteSite: (by: Person = asker) =>
        startJob(by, contract.sites.delete, { siteId: idOf('shop.example') }, {}, { confirmName: 'shop.example', ...prove }),
      setPassword: (by: Person = asker, pass = 'correct-horse-battery') =>
        runOperation(by, contract.users.save, { serverId: idOf('alpha') }, { user: 'deploy', pass }, { requestId: createOpaqueId() }),
      restore: (by: Person = asker) =>
        startJob(
          by,
          contract.backups.restore,
          { siteId: idOf('shop.example') },
          { restore: 'shop.example-1.tar.zst', backup_first: '1' },
          { confirmName: 'shop.example' },
        ),
    },
    /** What was sent that changes something. */
    sent: () => upstream.calls.filter(({ path, method }) => method === 'POST' || /\/delete(\?|$)/.test(path)).map(({ path }) => path),
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

export type Scene = Awaited<ReturnType<typeof openScene>>

/** The id of what waits. Throws if the outcome is another one. */
export function heldIdOf(outcome: { ok: true } | { ok: false; problem: { code: string; sentence: string; heldId?: string } }): string {
  if (outcome.ok || outcome.problem.code !== 'needs_approval' || outcome.problem.heldId === undefined) {
    throw new Error(`It is not held: ${JSON.stringify(outcome)}`)
  }
  return outcome.problem.heldId
}

export const readHeld = (id: string) => db().heldRequest.findUniqueOrThrow({ where: { id } })

/** As the page of the request does, with the digest that it shows. */
export async function approve(by: Person, heldId: string, more: Record<string, string> = {}) {
  const { digest } = await readHeld(heldId)
  return approveHeld(inputOf(by, { heldId, digest, ...more }))
}
