/** Password hashes: argon2id, a few at a time, and equally slow for unknown users. */
import 'server-only'
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { type Outcome, problem } from '@/lib/contract/problem'
import { atOnceInMemory } from '@/lib/memory'
import { fewAtOnce, TooManyWaiting } from '@/lib/portal/base/few-at-once'

/** 64 MiB, three passes, one lane: about 0.1 s. argon2id is the library's default. */
const cost = { memoryCost: 64 * 1024, timeCost: 3, parallelism: 1 }
// One core stays free, so that a hundred sign-ins at once do not delay everybody else's requests.
const atOnce = Math.max(1, Math.min(4, availableParallelism() - 1, atOnceInMemory(cost.memoryCost * 1024)))
const inTurn = fewAtOnce('hashing', { atOnce, maxWaiting: 64 })

/** Normalised, because other keyboards or systems encode the same characters differently. */
const bytesOf = (password: string): string => password.normalize('NFKC')

/** The result of hashPassword, verifyPassword or a sign-in, or a problem to show if it threw TooManyWaiting. */
export async function unlessBusy<T>(work: Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, data: await work }
  } catch (error) {
    if (!(error instanceof TooManyWaiting)) throw error
    const sentence = 'Too many sign-ins at the moment. Try again in a few seconds.'
    return { ok: false, problem: problem('too_many', { sentence, retryAfterSeconds: 5 }) }
  }
}

/** Returns a PHC string. Throws TooManyWaiting if too many hashes are queued. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(bytesOf(password), cost))
}

const unpadded = (bytes: number): string => randomBytes(bytes).toString('base64').replace(/=+$/, '')

/** Matches no password; checking against it takes as long as against a real hash. */
const nobodysHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${unpadded(16)}$${unpadded(32)}`

/**
 * True if the password matches the stored hash. Without a hash (unknown address) does the same work and returns false. Throws
 * TooManyWaiting if too many hashes are queued.
 */
export function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  return inTurn(() => verify(stored ?? nobodysHash, bytesOf(password)))
}
