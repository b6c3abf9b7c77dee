/** Password hashes: argon2id, a few at a time, and equally slow for unknown users. */
import 'server-only'
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { type Outcome, problem } from '@/lib/contract/problem'
import { processState } from '@/lib/portal/base/process-state'

/** 64 MiB, three passes, one lane: about 0.1 s. argon2id is the library's default. */
const cost = { memoryCost: 64 * 1024, timeCost: 3, parallelism: 1 }
const atOnce = Math.max(1, Math.min(4, availableParallelism()))
const maxWaiting = 64

/** Too many hashes are queued to finish in reasonable time. */
class HashingBusy extends Error {}

type Queue = { running: number; waiting: (() => void)[] }
// One queue for the whole process; otherwise there would be four slots per bundle.
const hashing = processState('hashing', (): Queue => ({ running: 0, waiting: [] }))

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const queue = hashing()
  if (queue.running >= atOnce) {
    if (queue.waiting.length >= maxWaiting) throw new HashingBusy()
    // A finished caller passes its slot on, so `running` already includes this caller when it wakes up.
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

/** Normalised, because other keyboards or systems encode the same characters differently. */
const bytesOf = (password: string): string => password.normalize('NFKC')

/** The result of hashPassword or verifyPassword, or a problem to show if it threw HashingBusy. */
export async function unlessBusy<T>(hashing: Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, data: await hashing }
  } catch (error) {
    if (!(error instanceof HashingBusy)) throw error
    const sentence = 'Too many sign-ins at the moment. Try again in a few seconds.'
    return { ok: false, problem: problem('too_many', { sentence, retryAfterSeconds: 5 }) }
  }
}

/** Returns a PHC string. Throws HashingBusy if too many hashes are queued. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(bytesOf(password), cost))
}

const unpadded = (bytes: number): string => randomBytes(bytes).toString('base64').replace(/=+$/, '')

/** Matches no password; checking against it takes as long as against a real hash. */
const nobodysHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${unpadded(16)}$${unpadded(32)}`

/**
 * True if the password matches the stored hash. Without a hash (unknown address) does the same work and returns false. Throws
 * HashingBusy if too many hashes are queued.
 */
export function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  return inTurn(() => verify(stored ?? nobodysHash, bytesOf(password)))
}
