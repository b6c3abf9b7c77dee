/** Wraps server actions that need no session: checks the origin, reads only text fields, reports failures as sentences. */
import 'server-only'
import { unstable_rethrow } from 'next/navigation'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { requireSameOrigin } from './same-origin'

/** The result for a refused form, which is then rendered again. `values` are the fields that may be shown: never a password, key or token. */
type PublicActionResult = { ok: true; data: null } | { ok: false; problem: Problem; values: Readonly<Record<string, string>> }

/** Reads one field as text: '' when absent. */
export type ReadField = (name: string) => string

export type PublicAction = (previous: PublicActionResult | null, form: FormData) => Promise<PublicActionResult>

const maxFieldLength = 4096

/**
 * Wraps a form's handler for useActionState; works without JavaScript too. The handler returns the problem to show, redirects, or
 * returns null if it succeeded and the page stays. `shownAgain` names the fields to return in `values`.
 */
export function publicAction(shownAgain: readonly string[], handler: (field: ReadField) => Promise<Problem | null>): PublicAction {
  return async (_previous, form) => {
    const field = readerOf(form)
    const values = Object.fromEntries(shownAgain.map((name) => [name, field(name)]))
    const refusal = (await requireSameOrigin()) ?? (await attempt(handler, field))
    return refusal ? { ok: false, problem: refusal, values } : { ok: true, data: null }
  }
}

/** The same for a form whose answer the page shows; needs scripts. `at` (ms since 1970) distinguishes two answers with equal content. */
export function answeringAction<T>(handler: (field: ReadField) => Promise<Outcome<T>>) {
  return async (_previous: (Outcome<T> & { at: number }) | null, form: FormData): Promise<Outcome<T> & { at: number }> => ({
    ...(await answer(() => handler(readerOf(form)))),
    at: Date.now(),
  })
}

/** The same for a question without fields. */
export const publicQuestion =
  <T>(ask: () => Promise<Outcome<T>>): (() => Promise<Outcome<T>>) =>
  () =>
    answer(ask)

async function answer<T>(run: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const foreign = await requireSameOrigin()
  return foreign ? { ok: false, problem: foreign } : orFailed(run, (failure) => ({ ok: false, problem: failure }))
}

const attempt = (handler: (field: ReadField) => Promise<Problem | null>, field: ReadField): Promise<Problem | null> =>
  orFailed(
    () => handler(field),
    (failure) => failure,
  )

async function orFailed<T>(run: () => Promise<T>, fail: (failure: Problem) => T): Promise<T> {
  try {
    return await run()
  } catch (error) {
    // redirect() throws too, and Next has to catch that.
    unstable_rethrow(error)
    log.error({ err: error }, 'a public action failed')
    return fail(problem('internal', { sentence: 'Something went wrong in Gatehouse. Try again.' }))
  }
}

/** A caller other than the form may send something else instead of a form, or a file instead of text. */
function readerOf(form: unknown): ReadField {
  return (name) => {
    const value = form instanceof FormData ? form.get(name) : null
    return typeof value === 'string' ? value.slice(0, maxFieldLength) : ''
  }
}
