/** Adds a connection to another service. It is stored only after its API key has listed servers there. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { listUsableConnections } from '@/lib/portal/access/connections'
import { recordDenied } from '@/lib/portal/access/denied'
import { type Keeper, mayKeep } from '@/lib/portal/access/roles'
import { holdsKey } from '@/lib/portal/custody/credential'
import type { Person } from '@/lib/portal/identity/actor'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { refuseFields } from '@/lib/portal/spine/refuse-fields'
import type { BaseUrl } from '@/lib/portal/upstream/address'
import type { Connection } from '@/prisma/generated/portal/client'
import { draftConnection, keepConnection } from './create'
import { formatKeeper } from './find'
import { refuseKey, refuseLabel } from './form'
import { proveConnection } from './prove'
import { readAddress } from './read-address'
import { runForConnection } from './recorded'

const action = 'connection.create'

type Wanted = BaseUrl & { label: string; key: string; keeper: Keeper }

/** Fields: label, address, apiKey, keeper (`team` or `own`). Returns the number of servers that the key lists. */
export async function addConnection({ actor, requestId, field }: OwnInput): Promise<Outcome<{ label: string; servers: number }>> {
  const read = await readForm(actor, field)
  if (!read.ok) return read
  const { keeper, ...wanted } = read.data
  const ownerId = keeper === 'own' ? actor.user.id : null
  const draft = await draftConnection({ teamId: actor.team.id, ownerId, kind: 'foreign', ...wanted })
  const detail = { label: draft.label, address: `${draft.origin}${draft.basePath}`, keeper }
  return runForConnection({ actor, action, requestId, connectionId: draft.id, keeper, detail }, async (recheck) => {
    const proven = await proveConnection(draft)
    if (!proven.ok) return proven
    // The service decides how long its answer takes.
    const still = await recheck()
    if (!still.ok) return still
    await keepConnection(draft, proven.data)
    return { ok: true, data: { label: draft.label, servers: proven.data.serverIds.length } }
  })
}

async function readForm(actor: Person, field: OwnInput['field']): Promise<Outcome<Wanted>> {
  const keeper: Keeper = field('keeper') === 'own' ? 'own' : 'team'
  if (!mayKeep(actor.role, keeper)) {
    await recordDenied(actor, action, { kind: 'connection', id: null }, 'forbidden')
    return { ok: false, problem: problem('forbidden', { sentence: formatKeeper(keeper) }) }
  }
  const [label, key] = [field('label').trim(), field('apiKey').trim()]
  const others = await listUsableConnections(actor)
  const refused = refuseFields({ label: refuseLabel(label, others), apiKey: refuseKey(key) })
  if (refused) return { ok: false, problem: refused }
  const base = await readAddress(field('address'))
  if ('code' in base) return { ok: false, problem: base }
  const same = await findSame(others, base, key)
  if (same) {
    const sentence = `The connection “${same.label}” already uses this key at this address.`
    return { ok: false, problem: problem('invalid', { fields: { apiKey: `${sentence} Use that connection, or another key.` } }) }
  }
  return { ok: true, data: { ...base, label, key, keeper } }
}

async function findSame(others: readonly Connection[], { origin, basePath }: BaseUrl, key: string): Promise<Connection | null> {
  for (const other of others) {
    if (other.origin === origin && other.basePath === basePath && (await holdsKey(other, key))) return other
  }
  return null
}
