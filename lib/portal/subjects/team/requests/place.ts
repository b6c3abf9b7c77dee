/** The server or site that access is asked for, as whoever asks or answers sees it. */
import 'server-only'
import type { Place } from '@/lib/portal/access/grants/grant'
import { findVisibleNames } from '@/lib/portal/access/visible'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import { findServersOfSites } from '@/lib/portal/base/sql/names'
import type { Actor } from '@/lib/portal/identity/actor'
import { toReadableDomain } from '@/lib/text/idn'

export type AskedPlace = { kind: 'server' | 'site'; id: string; name: string }

/** Null for what the reader does not see, which is the same as what is not there. */
export async function findAskedPlace(reader: Actor, kind: string, id: string): Promise<AskedPlace | null> {
  if ((kind !== 'server' && kind !== 'site') || !isOpaqueId(id)) return null
  const name = (await findVisibleNames(reader, kind, [id])).get(id)
  return name === undefined ? null : { kind, id, name: toReadableDomain(name) }
}

export type Somewhere = Exclude<Place, { kind: 'everywhere' }>

export async function toPlace({ kind, id }: Pick<AskedPlace, 'kind' | 'id'>): Promise<Somewhere> {
  return kind === 'server' ? { kind, serverId: id } : { kind, siteId: id, serverId: (await findServersOfSites([id])).get(id) ?? null }
}
