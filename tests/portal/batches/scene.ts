/** A team with sites on servers of a test service, and batches on them. */
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { runBatch } from '@/lib/portal/batches/runner'
import { type NewBatch, startBatch } from '@/lib/portal/batches/start'
import type { Person } from '@/lib/portal/identity/actor'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { signedInLately } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

type Options = { servers?: number; sites?: number; extensions?: boolean }

/** Sites are spread over the servers in turn: site-0 is on server-0. */
export async function openScene({ servers = 1, sites = 3, extensions = true }: Options = {}) {
  const database = await openPortalDatabase()
  const upstream = await startUpstream({ extensions })
  const serverIds = Array.from({ length: servers }, (_, index) => upstream.addServer({ name: `server-${index}` }))
  const upstreamIds = Array.from({ length: sites }, (_, index) =>
    upstream.addSite({ domain: `site-${index}.example`, server: serverIds[index % servers] ?? '' }),
  )
  const team = await createTeam()
  const actor = await team.join('operator')
  const connectionId = await team.connect(upstream)
  await listServers(actor)
  const listed = await listSites(actor)
  const siteIds = upstreamIds.map((_, index) => listed.sites.find(({ domain }) => domain === `site-${index}.example`)?.id ?? '')

  const start = (given: Partial<NewBatch> = {}, { by = actor, requestId = createOpaqueId() } = {}) => {
    const usual = { operation: 'backups.create', mode: 'goOn', atOnce: '4', confirmName: '', stepUp: signedInLately }
    return startBatch(by, { ...usual, targets: siteIds.map((id) => ({ id, fields: {} })), ...given }, requestId)
  }
  return {
    upstream,
    upstreamIds,
    serverIds,
    team,
    actor,
    connectionId,
    siteIds,
    start,
    /** Starts it and waits for its end. */
    async run(given: Partial<NewBatch> = {}, by: Person = actor): Promise<string> {
      const started = await start(given, { by })
      if (!started.ok) throw new Error(started.problem.sentence)
      await runBatch(started.data.batchId)
      return started.data.batchId
    },
    /** How many backups each site has got. */
    backups: () => upstreamIds.map((id) => (upstream.model.sites.get(id)?.backups.length ?? 0) - 1),
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** The states of a batch's targets, in order. */
export async function statesOf(batchId: string): Promise<string[]> {
  const rows = await db().batchTarget.findMany({ where: { batchId }, orderBy: { seq: 'asc' } })
  return rows.map(({ state }) => state)
}
