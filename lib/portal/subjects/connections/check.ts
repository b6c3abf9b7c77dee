/** Checks now whether a connection's API key still works, instead of waiting for the next list. */
import 'server-only'
import type { Outcome } from '@/lib/contract/problem'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { forgetListing } from '../listing/cache'
import { refreshServers } from '../servers/listing'
import { findKeptConnection } from './find'

/** Field: connectionId. Stores the state on the row; a problem says why listing failed. */
export async function checkConnection({ actor, field }: OwnInput): Promise<Outcome<null>> {
  const found = await findKeptConnection(actor, 'connection.check', field('connectionId'))
  if (!found.ok) return found
  forgetListing(found.data.id)
  const failure = await refreshServers(found.data)
  return failure ? { ok: false, problem: failure } : { ok: true, data: null }
}
