/** An authenticator app for tests: scans the seed, and shows a code for any time step. */
import { setTimeout as pause } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'
import { recheckActor } from '@/lib/portal/identity/actor'
import { confirmTotp, startTotp } from '@/lib/portal/identity/second-factor/totp'
import { createRowId } from '@/lib/portal/identity/token'
import { addPerson, openFor } from '../people'

const stepMs = 30_000

export type Authenticator = { secret: string; codeAt: (steps: number) => string }

/** steps: of 30 seconds, from now. */
export const scan = (secret: string): Authenticator => {
  const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) })
  return { secret, codeAt: (steps) => totp.generate({ timestamp: Date.now() + steps * stepMs }) }
}

async function actorOf(sessionId: string) {
  const actor = await recheckActor(sessionId)
  if (!actor) throw new Error('The session does not stand.')
  return actor
}

/** A signed-in user without a second factor. */
export async function addActor() {
  const person = await addPerson()
  return { person, actor: await actorOf((await openFor(person)).sessionId) }
}

/** A signed-in user whose app was confirmed with the code of the step before this one. */
export async function addActorWithApp() {
  const { person, actor } = await addActor()
  const started = await startTotp(actor, createRowId())
  if (!started.ok) throw new Error(started.problem.sentence)
  const app = scan(started.data.secret)
  // The step before this one must not become the one before that while its code is checked.
  const leftMs = stepMs - (Date.now() % stepMs)
  if (leftMs < 5000) await pause(leftMs)
  const confirmed = await confirmTotp(actor, app.codeAt(-1), createRowId())
  if (!confirmed.ok) throw new Error(confirmed.problem.sentence)
  return { person, actor, app, codes: confirmed.data.codes }
}
