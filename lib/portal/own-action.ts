/** The frame of server actions that concern the portal's own things, such as a person's account: no operation, no upstream. */
import 'server-only'
import { unstable_rethrow } from 'next/navigation'
import { type Outcome, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import type { ActionResult } from './action'
import { type Actor, findActor } from './identity/actor'
import { requireSameOrigin } from './request/same-origin'
import { answerOnce } from './submissions'

/** Reads one field as text; undefined when it was not sent as text. */
type ReadField = (name: string) => string | undefined

// The ids of ten thousand servers fit; a body over 1 MB is refused before it comes here.
const longestField = 1_048_576

/**
 * Makes an action for useActionState that everybody signed in may call; the handler checks what more is needed. Origin
 * and session are checked here, and the same `requestId` is answered once, as for operations.
 */
export function ownAction<T>(
  name: string,
  handler: (actor: Actor, field: ReadField) => Promise<Outcome<T>>,
): (previous: ActionResult<T> | null, form: FormData) => Promise<ActionResult<T>> {
  return async (_previous, form) => ({ ...(await answer(name, handler, form)), at: Date.now() })
}

async function answer<T>(
  name: string,
  handler: (actor: Actor, field: ReadField) => Promise<Outcome<T>>,
  form: unknown,
): Promise<Outcome<T>> {
  try {
    const foreign = await requireSameOrigin()
    if (foreign) return { ok: false, problem: foreign }
    const actor = await findActor()
    if (!actor) return { ok: false, problem: problem('signed_out') }
    if (!(form instanceof FormData)) return { ok: false, problem: problem('invalid') }
    const field: ReadField = (key) => {
      const value = form.get(key)
      return typeof value === 'string' ? value.slice(0, longestField) : undefined
    }
    return await answerOnce([actor.user.id, name], field('requestId'), () => handler(actor, field))
  } catch (error) {
    unstable_rethrow(error)
    log.error({ err: error, action: name }, 'an action failed')
    return { ok: false, problem: problem('internal', { sentence: 'The portal made an error of its own.' }) }
  }
}
