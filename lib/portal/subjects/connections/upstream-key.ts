/** The API key of the service in UPSTREAM_URL, entered at set-up. It is verified by listing servers before it is relied on. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { isUsableKey } from '@/lib/portal/custody/credential'
import { requireBaseUrl } from '@/lib/portal/upstream/address'
import { getSettings } from '@/lib/settings/settings'
import { draftConnection, keepConnection } from './create'
import { proveConnection } from './prove'

/** Creates the team's connection to the service in UPSTREAM_URL. Leaves nothing behind if the key does not work. */
export async function provideUpstreamKey(teamId: string, typed: string): Promise<Outcome<{ connectionId: string }>> {
  const key = typed.trim()
  if (!isUsableKey(key)) return refuseKey(problem('invalid', { sentence: 'This is not an API key.' }))
  const upstream = getSettings().upstreamUrl
  const base = await requireBaseUrl(upstream?.href ?? '')
  if ('code' in base) return refuseKey(base)
  const draft = await draftConnection({ teamId, ownerId: null, label: upstream?.host ?? '', kind: 'foreign', ...base, key })
  const proven = await proveConnection(draft)
  if (!proven.ok) return refuseKey(proven.problem)
  await keepConnection(draft, proven.data)
  return { ok: true, data: { connectionId: draft.id } }
}

/** Deletes a connection that nothing refers to yet. */
export async function dropConnection(id: string): Promise<void> {
  await db().connection.deleteMany({ where: { id } })
}

/** Shows every problem at the key's field: the operator set the address, so the form has no field for it. */
function refuseKey(why: Problem): { ok: false; problem: Problem } {
  const advice = Object.values(why.fields ?? {})
  return { ok: false, problem: { ...why, fields: { apiKey: [why.sentence, ...advice].join(' ') } } }
}
