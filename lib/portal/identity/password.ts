/** Password hashes: argon2id, a few at a time, and as slow for somebody unknown as for somebody known. */
import 'server-only'
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { type Outcome, problem } from '@/lib/contract/problem'
import { processState } from '@/lib/portal/base/process-state'

/** 64 MiB, three passes, one lane: about 0.1 s. The library's own choice of algorithm is argon2id. */
const cost = { memoryCost: 64 * 1024, timeCost: 3, parallelism: 1 }
const atOnce = Math.max(1, Math.min(4, availableParallelism()))
const maxWaiting = 64

/** More people wait for a hash than can be served in reasonable time. */
class HashingBusy extends Error {}

type Queue = { running: number; waiting: (() => void)[] }
// One for the whole process, or four at once would be four in each bundle.
const hashing = processState('hashing', (): Queue => ({ running: 0, waiting: [] }))

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const queue = hashing()
  if (queue.running >= atOnce) {
    if (queue.waiting.length >= maxWaiting) throw new HashingBusy()
    // Whoever finishes hands the place over, so `running` already counts us when we wake.
    await new Promise<void>((resolve) => queue.waiting.push(resolve))
  } else {
    queue.running += 1
  }
  try {
    return await work()
  } finally {
    const next = queue.waiting.shift()
    if (next) next()
    else queue.running -= 1
  }
}

/** The same signs typed on another keyboard or system give the same bytes. */
const bytesOf = (password: string): string => password.normalize('NFKC')

/** The result of hashPassword or verifyPassword, or what to tell the person when HashingBusy was thrown. */
export async function unlessBusy<T>(hashing: Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, data: await hashing }
  } catch (error) {
    if (!(error instanceof HashingBusy)) throw error
    const sentence = 'Too many people are signing in right now. Try again in a few seconds.'
    return { ok: false, problem: problem('too_many', { sentence, retryAfterSeconds: 5 }) }
  }
}

/** A PHC string. Throws HashingBusy when too many wait. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(bytesOf(password), cost))
}

const unpadded = (bytes: number): string => randomBytes(bytes).toString('base64').replace(/=+$/, '')

/** No password has this hash, and to find that out takes as long as with a real one. */
const nobodysHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${unpadded(16)}$${unpadded(32)}`

/**
 * True when the password belongs to the stored hash. Without one (nobody has that address) the same work is done and the
 * answer is no. Throws HashingBusy when too many wait.
 */
export function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  return inTurn(() => verify(stored ?? nobodysHash, bytesOf(password)))
}
