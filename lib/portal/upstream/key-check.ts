/** Whether a refusal is about the API key or about one operation: docs/decisions/060-what-a-refusal-is-about.md */
import 'server-only'
import { servers } from '@/lib/contract/operations/servers'
import type { Outcome } from '@/lib/contract/problem'
import { type EncodedRequest, encodeRequest } from '@/lib/contract/request'
import { processState } from '@/lib/portal/base/process-state'
import type { Connection } from '@/prisma/generated/portal/client'

type Call = (connection: Connection, operation: typeof servers.list, request: EncodedRequest) => Promise<Outcome<unknown>>

type KeyCheck = { at: number; refused: Promise<boolean> }

const keyChecks = processState('key checks', () => new Map<string, KeyCheck>())

// A page makes several reads, which may all be refused.
const sharedMs = 2_000

/** Whether the service refuses the key as a whole: it then refuses the list of servers too. A list that fails otherwise proves nothing. */
export function isKeyRefused(connection: Connection, call: Call): Promise<boolean> {
  const credential = `${connection.id}.${connection.secretVersion}`
  const known = keyChecks().get(credential)
  if (known && Math.abs(Date.now() - known.at) < sharedMs) return known.refused
  const list = call(connection, servers.list, encodeRequest(servers.list, {}, connection))
  const refused = list.then((outcome) => !outcome.ok && outcome.problem.code === 'key_rejected')
  keyChecks().set(credential, { at: Date.now(), refused })
  return refused
}
