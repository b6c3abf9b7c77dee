/** The key of a foreign service, given at set-up: proven by listing servers before anything depends on it. */
import 'server-only'
import { servers } from '@/lib/contract/operations/servers'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { encodeRequest } from '@/lib/contract/request'
import { getSettings } from '@/lib/settings/settings'
import { createConnection } from '../connections/create'
import { isUsableKey } from '../custody/credential'
import { db } from '../db'
import { callConnection } from '../run-operation'
import { requireBaseUrl } from '../upstream/address'

/** Makes the team's connection to the service of UPSTREAM_URL. A key that does not work leaves nothing behind. */
export async function provideUpstreamKey(teamId: string, typed: string): Promise<Outcome<{ connectionId: string }>> {
  const key = typed.trim()
  if (!isUsableKey(key)) return refuseKey(problem('invalid', { sentence: 'This is not an API key.' }))
  const upstream = getSettings().upstreamUrl
  const base = await requireBaseUrl(upstream?.href ?? '')
  if ('code' in base) return refuseKey(base)
  const { id } = await createConnection({ teamId, ownerId: null, label: upstream?.host ?? '', kind: 'foreign', ...base, key })
  const connection = await db().connection.findUniqueOrThrow({ where: { id } })
  const listed = await callConnection(connection, servers.list, encodeRequest(servers.list, {}, { extensions: false }))
  if (listed.ok) return { ok: true, data: { connectionId: id } }
  await dropConnection(id)
  return refuseKey(listed.problem)
}

/** Forgets a connection that nothing refers to yet. */
export async function dropConnection(id: string): Promise<void> {
  await db().connection.deleteMany({ where: { id } })
}

/** The problem, said at the field. */
const refuseKey = (why: Problem): { ok: false; problem: Problem } => ({ ok: false, problem: { ...why, fields: { apiKey: why.sentence } } })
