/** A server of a test upstream, listed and ready to be installed by somebody. */
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { startJob } from '@/lib/portal/jobs/start'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { createTeam, type TestTeam } from './portal-team'
import type { Upstream } from './upstream/upstream'

export type Installable = {
  team: TestTeam
  actor: Actor
  serverId: string
  upstreamId: string
  path: string
  install: () => Promise<string>
}

export async function prepareInstall(upstream: Upstream): Promise<Installable> {
  const upstreamId = upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  const serverId = (await listServers(actor)).servers[0]?.id ?? ''
  return {
    team,
    actor,
    serverId,
    upstreamId,
    path: `/servers/${upstreamId}/install`,
    async install() {
      const outcome = await startJob(actor, contract.servers.install, { serverId })
      if (!outcome.ok) throw new Error(outcome.problem.sentence)
      return outcome.data.jobId
    },
  }
}

export const stateOf = async (jobId: string) => (await db().job.findUniqueOrThrow({ where: { id: jobId } })).state

/** The stored lines, in order. */
export const storedLines = (jobId: string) => db().jobEvent.findMany({ where: { jobId }, orderBy: { seq: 'asc' } })

/** 1, 2, … up to count. */
export const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
