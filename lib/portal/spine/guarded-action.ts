/** Guarded actions: whatever an action does, it is from this portal, for somebody who is signed in, and done once. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { requireSameOrigin } from '@/lib/portal/base/request/same-origin'
import { findActor, type Person } from '@/lib/portal/identity/actor'
import { stepUp } from '@/lib/portal/identity/step-up'
import { answerOnce } from './submissions'

/** What an action answers. `at` (ms since 1970) tells two answers of the same words apart. */
export type ActionResult<T = unknown> = Outcome<T> & { at: number }

/** What an action of the portal's own gets: one field of the form as text ('' when absent), and the ways to be surer. */
export type OwnInput = {
  actor: Person
  requestId: string
  field: (name: string) => string
  /** Null once the person has proven themselves by password lately, or just did by the form's `password`. */
  stepUp: () => Promise<Problem | null>
}

// Longer than any body that lib/portal/entry/front/body-limits.ts lets in.
const maxFieldLength = 1_048_576

/** The same for what the portal does itself, with no operation of a service behind it. `action` is its name in the record. */
export function ownAction<T>(action: string, handle: (input: OwnInput) => Promise<Outcome<T>>) {
  return guardedAction(action, (actor, form, requestId) => {
    const field = (name: string) => (textOf(form, name) ?? '').slice(0, maxFieldLength)
    return handle({ actor, requestId, field, stepUp: () => stepUp(actor, field('password')) })
  })
}

/** Origin, session and a form: whatever an action does, it does it for somebody who is signed in and sent it from here. */
export function guardedAction<T>(name: string, handle: (actor: Person, form: FormData, requestId: string) => Promise<Outcome<T>>) {
  return async (_previous: ActionResult<T> | null, form: FormData): Promise<ActionResult<T>> => {
    return { ...(await answer(name, form, handle)), at: Date.now() }
  }
}

async function answer<T>(
  name: string,
  form: unknown,
  handle: (actor: Person, form: FormData, requestId: string) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  try {
    const foreign = await requireSameOrigin()
    if (foreign) return { ok: false, problem: foreign }
    const actor = await findActor()
    if (!actor) return { ok: false, problem: problem('signed_out') }
    // Whoever calls an action by hand may send anything in place of a form.
    if (!(form instanceof FormData)) return { ok: false, problem: problem('invalid') }
    return await answerOnce([actor.user.id, name], textOf(form, 'requestId'), (requestId) => handle(actor, form, requestId))
  } catch (error) {
    log.error({ err: error, action: name }, 'an action failed')
    return { ok: false, problem: problem('internal', { sentence: 'The portal made an error of its own.' }) }
  }
}

export function textOf(form: FormData, name: string): string | undefined {
  const value = form.get(name)
  return typeof value === 'string' ? value : undefined
}
