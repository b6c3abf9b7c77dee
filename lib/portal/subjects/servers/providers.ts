/** The providers that the servers of each service name, to suggest them where another server is added. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import { visibleTo } from './row'

/** By the address of the service (`upstreamOf`), in order. A service that names none is not in it. */
export async function listProviders(actor: Actor): Promise<Map<string, string[]>> {
  const rows = await db().server.groupBy({
    by: ['origin', 'provider'],
    where: { ...visibleTo(actor), provider: { not: '' } },
    orderBy: { provider: 'asc' },
  })
  const providers = new Map<string, string[]>()
  for (const { origin, provider } of rows) providers.set(origin, [...(providers.get(origin) ?? []), provider])
  return providers
}
