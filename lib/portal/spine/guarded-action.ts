/** Guarded actions: sent from this portal by a signed-in user, and run once. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { requireSameOrigin } from '@/lib/portal/base/request/same-origin'
import { findActor, type Person } from '@/lib/portal/identity/actor'
import { readProof, stepUp } from '@/lib/portal/identity/step-up'
import { answerOnce } from './submissions'

/** The result of an action. `at` (ms since 1970) distinguishes two results with equal content. */
export type ActionResult<T = unknown> = Outcome<T> & { at: number }

/** The input of the portal's own actions: a function that reads one field of the form ('' if absent), and further checks. */
export type OwnInput = {
  actor: Person
  requestId: string
  field: (name: string) => string
  /** Null if the user proved who they are recently, or the form's `password`, `code` or `passkey` does. */
  stepUp: () => Promise<Problem | null>
  /** The digest that a second person approved, if it waited for one. */
  approvedDigest?: string
}

/** Some fields of a form by name, for what waits for a second person. Never a proof. */
export const pickFields = ({ field }: Pick<OwnInput, 'field'>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, field(name)]))

// More than any body that lib/portal/entry/front/body-limits.ts accepts.
const maxFieldLength = 1_048_576

/** For actions of the portal itself, without an operation of a service. `action` is the name in the audit log. */
export function ownAction<T>(action: string, handle: (input: OwnInput) => Promise<Outcome<T>>) {
  return guardedAction(action, (actor, form, requestId) => {
    const field = (name: string) => (textOf(form, name) ?? '').slice(0, maxFieldLength)
    return handle({ actor, requestId, field, stepUp: () => stepUp(actor, readProof(field)) })
  })
}

/** Checks origin, session and form, so that every action was sent from this portal and runs for a signed-in user. */
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
    // A caller other than the form may send anything instead of one.
    if (!(form instanceof FormData)) return { ok: false, problem: problem('invalid') }
    return await answerOnce([actor.user.id, name], textOf(form, 'requestId'), (requestId) => handle(actor, form, requestId))
  } catch (error) {
    log.error({ err: error, action: name }, 'an action failed')
    return { ok: false, problem: problem('internal', { sentence: 'Something went wrong in Gatehouse.' }) }
  }
}

export function textOf(form: FormData, name: string): string | undefined {
  const value = form.get(name)
  return typeof value === 'string' ? value : undefined
}
