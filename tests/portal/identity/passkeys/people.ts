/** A signed-in user with a passkey, for tests. */
import { db } from '@/lib/portal/base/db'
import { recheckActor } from '@/lib/portal/identity/actor'
import { addPasskey, startPasskey } from '@/lib/portal/identity/passkeys/add'
import { createRowId } from '@/lib/portal/identity/token'
import { addPerson, device, openFor } from '../people'
import { type SoftPasskey, softPasskey } from './authenticator'

export async function actorFor(person: Awaited<ReturnType<typeof addPerson>>) {
  const actor = await recheckActor((await openFor(person)).sessionId)
  if (!actor) throw new Error('The session does not stand.')
  return actor
}

type Actor = Awaited<ReturnType<typeof actorFor>>

/** The challenge of a new registration. */
export async function startFor(actor: Actor) {
  const started = await startPasskey(actor, device.peer)
  if (!started.ok) throw new Error(started.problem.sentence)
  return started.data.options
}

export async function addTo(actor: Actor, passkey: SoftPasskey = softPasskey(actor.user.id)) {
  const added = await addPasskey(actor, passkey.create(await startFor(actor)), device, createRowId())
  if (!added.ok) throw new Error(added.problem.sentence)
  return { passkey, codes: added.data.codes }
}

export async function addActorWithPasskey(options: { email?: string } = {}) {
  const person = await addPerson(options)
  const actor = await actorFor(person)
  return { person, actor, ...(await addTo(actor)) }
}

/** The user has no password from here on. */
export const forgetPassword = (id: string) => db().user.update({ where: { id }, data: { passwordHash: null } })
