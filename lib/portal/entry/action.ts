/** The spine as a server action: one line per operation in a page's actions.ts. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import type { Target } from '@/lib/portal/access/decide'
import { requireSameOrigin } from '@/lib/portal/base/request/same-origin'
import { type Actor, findActor } from '@/lib/portal/identity/actor'
import { stepUp } from '@/lib/portal/identity/step-up'
import { startJob } from '@/lib/portal/jobs/start'
import type { GivenFields } from '@/lib/portal/spine/prepare-request'
import { performOperation, type RunOptions } from '@/lib/portal/spine/run-operation'
import { answerOnce } from '@/lib/portal/spine/submissions'

/** What an action answers. `at` (ms since 1970) tells two answers of the same words apart. */
export type ActionResult<T = unknown> = Outcome<T> & { at: number }

/** A slow operation answers its job; servers.create the new server's own id; servers.delete whether the machine was cleaned, where that is told. */
export type ActionData = { jobId?: string; serverId?: string; cleaned?: boolean }

export type PortalAction = (previous: ActionResult<ActionData> | null, form: FormData) => Promise<ActionResult<ActionData>>

/**
 * Makes the action of an operation, for useActionState. Reads from the form: the target (`serverId`, `siteId` or
 * `connectionId`, the portal's own ids), the operation's fields by the interface's names, `confirmName` for what
 * destroys, and `requestId` (any random id of the page's): the same one within 10 minutes is answered, not done again.
 */
export function portalAction(operation: Operation): PortalAction {
  return guardedAction(operation.id, (actor, form, requestId) => submit(actor, operation, form, requestId))
}

/** What an action of the portal's own gets: one field of the form as text ('' when absent), and the ways to be surer. */
export type OwnInput = {
  actor: Actor
  requestId: string
  field: (name: string) => string
  /** Null once the person has proven themselves by password lately, or just did by the form's `password`. */
  stepUp: () => Promise<Problem | null>
}

// Longer than any body that lib/portal/entry/front/body-limits.ts lets in.
const longestField = 1_048_576

/** The same for what the portal does itself, with no operation of a service behind it. `action` is its name in the record. */
export function ownAction<T>(action: string, handle: (input: OwnInput) => Promise<Outcome<T>>) {
  return guardedAction(action, (actor, form, requestId) => {
    const field = (name: string) => (textOf(form, name) ?? '').slice(0, longestField)
    return handle({ actor, requestId, field, stepUp: () => stepUp(actor, field('password')) })
  })
}

/** Origin, session and a form: whatever an action does, it does it for somebody who is signed in and sent it from here. */
function guardedAction<T>(name: string, handle: (actor: Actor, form: FormData, requestId: string) => Promise<Outcome<T>>) {
  return async (_previous: ActionResult<T> | null, form: FormData): Promise<ActionResult<T>> => {
    return { ...(await answer(name, form, handle)), at: Date.now() }
  }
}

async function answer<T>(
  name: string,
  form: unknown,
  handle: (actor: Actor, form: FormData, requestId: string) => Promise<Outcome<T>>,
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

async function submit(actor: Actor, operation: Operation, form: FormData, requestId: string): Promise<Outcome<ActionData>> {
  const [target, fields] = [readTarget(form), readFields(operation, form)]
  const confirmName = textOf(form, 'confirmName')
  const options: RunOptions = {
    requestId,
    stepUp: () => stepUp(actor, textOf(form, 'password') ?? ''),
    ...(confirmName !== undefined && { confirmName }),
  }
  if (operation.pace === 'slow') return startJob(actor, operation, target, fields, options)
  const { outcome, serverId } = await performOperation(actor, operation, target, fields, options)
  if (!outcome.ok) return outcome
  const cleaned = 'cleaned' in outcome.data ? outcome.data.cleaned : undefined
  return { ok: true, data: { ...(serverId !== null && { serverId }), ...(typeof cleaned === 'boolean' && { cleaned }) } }
}

function textOf(form: FormData, name: string): string | undefined {
  const value = form.get(name)
  return typeof value === 'string' ? value : undefined
}

function readTarget(form: FormData): Target {
  const names = ['serverId', 'siteId', 'connectionId'] as const
  return Object.fromEntries(names.flatMap((name) => [textOf(form, name)].filter(Boolean).map((value) => [name, value])))
}

/** Text by name; lists by `name` or `name[]`. A file is nobody's field. */
function readFields(operation: Operation, form: FormData): GivenFields {
  const names = [...Object.keys(operation.fields), ...(operation.path.includes('{app}') ? ['app'] : [])]
  const entries = names.flatMap((name): [string, unknown][] => {
    if (operation.fields[name]?.kind === 'list')
      return [[name, [...form.getAll(name), ...form.getAll(`${name}[]`)].filter((item) => item !== '')]]
    const values = form.getAll(name)
    return values.length === 0 ? [] : [[name, values.length === 1 ? values[0] : values]]
  })
  return Object.fromEntries(entries)
}
