/** Secrets that a run's answer shows: encrypted until the run has ended, and for a short while after, for clients that were cut off. */
import { isJsonObject } from '@/lib/contract/json'
import { open, SealBroken, seal } from '@/lib/sealing/envelope'
import type { Run } from './run'
import type { Store } from './store'

/** Who signs in with the password. */
export type RunSecret = { user: string; password: string }

/** How long after its end a run's answer can still be read with its secret. */
export const secretMs = 15 * 60_000

/** Bound to the run, so that a secret copied to another one cannot be decrypted. */
export const bindRunSecret = (runId: string) => ['gatehouse', '1', 'Run', 'result', runId]

/** What is stored of a secret as long as the run has no answer. Call it right before the row is written. */
export async function sealSecret(store: Store, runId: string, { user, password }: RunSecret): Promise<string> {
  const kek = await store.ring.current()
  const plaintext = Buffer.from(password, 'utf8')
  try {
    const sealed = Buffer.from(seal({ kek, plaintext, aad: bindRunSecret(runId) })).toString('base64')
    return JSON.stringify({ user, sealed })
  } finally {
    plaintext.fill(0)
  }
}

/** The stored answer of a run that ends, as JSON: its credentials without the password, which stays encrypted beside them. */
export function keepSecret(run: Pick<Run, 'result'>, url: string, answer: string): string {
  const { user, sealed } = parse(run.result)
  if (sealed === undefined || url === '') return answer
  return JSON.stringify({ ...parse(answer), credentials: { url, user }, sealed })
}

/** The answer of a finished run as JSON, with its secret if that is still kept. */
export function revealSecret(store: Store, run: Pick<Run, 'id' | 'result' | 'endedAt'>, nowMs = Date.now()): string | null {
  const { sealed, credentials, ...rest } = parse(run.result)
  if (sealed === undefined) return run.result
  const password = isExpired(run, nowMs) ? null : openSecret(store, run.id, String(sealed))
  return JSON.stringify(password === null || !isJsonObject(credentials) ? rest : { ...rest, credentials: { ...credentials, password } })
}

/** Deletes the secrets of runs that ended long enough ago. Safe at any time. */
export async function forgetSecrets(store: Store, nowMs = Date.now()): Promise<void> {
  const where = { state: { not: 'running' as const }, result: { contains: '"sealed"' } }
  for (const run of await store.db.run.findMany({ where })) {
    if (!isExpired(run, nowMs)) continue
    const { sealed: _, credentials: __, ...rest } = parse(run.result)
    await store.db.run.updateMany({ where: { id: run.id }, data: { result: JSON.stringify(rest) } })
  }
}

const isExpired = ({ endedAt }: Pick<Run, 'endedAt'>, nowMs: number): boolean => endedAt === null || nowMs - endedAt.getTime() >= secretMs

/** Null if it was sealed with another key. */
function openSecret(store: Store, runId: string, sealed: string): string | null {
  try {
    const plaintext = open({ keks: store.ring.find, blob: Buffer.from(sealed, 'base64'), aad: bindRunSecret(runId) })
    try {
      return plaintext.toString('utf8')
    } finally {
      plaintext.fill(0)
    }
  } catch (error) {
    if (error instanceof SealBroken) return null
    throw error
  }
}

function parse(text: string | null): Record<string, unknown> {
  const value: unknown = text === null ? null : JSON.parse(text)
  return isJsonObject(value) ? value : {}
}
