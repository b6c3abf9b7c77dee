/** The API key of a foreign service, entered at set-up: verified by listing servers before anything depends on it. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { isUsableKey } from '@/lib/portal/custody/credential'
import { requireBaseUrl } from '@/lib/portal/upstream/address'
import { getSettings } from '@/lib/settings/settings'
import { draftConnection, keepConnection } from './create'
import { proveConnection } from './prove'

/** Creates the team's connection to the service of UPSTREAM_URL. A key that does not work leaves nothing behind. */
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

/** Shows the problem at the key field: the operator set the address, so the form has no field for it. */
function refuseKey(why: Problem): { ok: false; problem: Problem } {
  const advice = Object.values(why.fields ?? {})
  return { ok: false, problem: { ...why, fields: { apiKey: [why.sentence, ...advice].join(' ') } } }
}
