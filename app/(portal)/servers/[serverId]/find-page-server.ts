import { notFound } from 'next/navigation'
import { cache } from 'react'
import { servers } from '@/lib/contract/operations/servers'
import { services } from '@/lib/contract/operations/services'
import { type Actor, requireActor } from '@/lib/portal/identity/actor'
import { findNewestJob, type JobView } from '@/lib/portal/jobs/view'
import { findServer } from '@/lib/portal/subjects/servers/find'
import type { ServerRow } from '@/lib/portal/subjects/servers/row'
import { runOperation } from '@/lib/portal/subjects/spine'
import { isSampling, readHistoryOf } from '@/lib/portal/views/history/read'

/** The server a page is about, or the not-found page. Read once per request, however many parts need it. */
export const findPageServer = cache(async (serverId: string): Promise<{ actor: Actor; server: ServerRow }> => {
  const actor = await requireActor()
  const server = await findServer(actor, serverId)
  return server ? { actor, server } : notFound()
})

/** Live from the server; may take seconds. */
export const readSummary = cache(async (serverId: string) => {
  const { actor } = await findPageServer(serverId)
  return runOperation(actor, servers.summary, { serverId })
})

/** Live from the server. */
export const readVitals = cache(async (serverId: string) => {
  const { actor } = await findPageServer(serverId)
  return runOperation(actor, servers.vitals, { serverId })
})

/** Live from the server. */
export const readServices = cache(async (serverId: string) => {
  const { actor } = await findPageServer(serverId)
  return runOperation(actor, services.list, { serverId })
})

/** The newest install of a server, or null. */
export const findInstallJob = cache(async (serverId: string): Promise<JobView | null> => {
  const { actor } = await findPageServer(serverId)
  return findNewestJob(actor, { serverId }, servers.install)
})

/** The samples of the last day; null if the portal does not sample. No service is called. */
export const readDay = cache(async (serverId: string) => {
  const { server } = await findPageServer(serverId)
  return isSampling() ? readHistoryOf(server.id, '24h') : null
})
