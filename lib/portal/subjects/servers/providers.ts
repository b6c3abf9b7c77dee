/** The providers that each service's servers have, as suggestions for adding another server. */
import 'server-only'
import { serversVisibleTo } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'

/** By the address of the service (`upstreamOf`), sorted. Services without providers are absent. */
export async function listProviders(actor: Actor): Promise<Map<string, string[]>> {
  const rows = await db().server.groupBy({
    by: ['origin', 'provider'],
    where: { ...(await serversVisibleTo(actor)), provider: { not: '' } },
    orderBy: { provider: 'asc' },
  })
  const providers = new Map<string, string[]>()
  for (const { origin, provider } of rows) providers.set(origin, [...(providers.get(origin) ?? []), provider])
  return providers
}
