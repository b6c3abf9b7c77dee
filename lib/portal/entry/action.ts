/** The spine as a server action: one line per operation in a page's actions.ts. */
import 'server-only'
import type { Answer, Operation } from '@/lib/contract/operation'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import type { Target } from '@/lib/portal/access/decide'
import { requireSameOrigin } from '@/lib/portal/base/request/same-origin'
import { type Actor, findActor } from '@/lib/portal/identity/actor'
import { stepUp } from '@/lib/portal/identity/step-up'
import { startJob } from '@/lib/portal/jobs/start'
import type { GivenFields } from '@/lib/portal/spine/prepare-request'
import type { RunOptions } from '@/lib/portal/spine/run-operation'
import { answerOnce } from '@/lib/portal/spine/submissions'
import { performOperation } from '@/lib/portal/subjects/spine'

/** What an action answers. `at` (ms since 1970) tells two answers of the same words apart. */
export type ActionResult<T = unknown> = Outcome<T> & { at: number }

/** Those members of an operation's answer that its action hands on; each may be missing. */
type HandedOn<O extends Operation> = O extends { handsOn: readonly (infer Name)[] }
  ? Partial<Pick<Answer<O>, Name & keyof Answer<O>>>
  : Record<never, never>

/** A slow operation answers its job; what makes a server, the new one's own id; and what the operation hands on of its answer. */
export type ActionData<O extends Operation = Operation> = { jobId?: string; serverId?: string } & HandedOn<O>

export type PortalAction<O extends Operation = Operation> = (
  previous: ActionResult<ActionData<O>> | null,
  form: FormData,
) => Promise<ActionResult<ActionData<O>>>

/**
 * Makes the action of an operation, for useActionState. Reads from the form: the target (`serverId`, `siteId` or
 * `connectionId`, the portal's own ids), the operation's fields by the interface's names, `confirmName` where it
 * has to be confirmed, and `requestId` (any random id of the page's): the same one within 10 minutes is answered, not done again.
 */
export function portalAction<O extends Operation>(operation: O): PortalAction<O> {
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

async function submit<O extends Operation>(actor: Actor, operation: O, form: FormData, requestId: string): Promise<Outcome<ActionData<O>>> {
  const [target, fields] = [readTarget(form), readFields(operation, form)]
  const confirmName = textOf(form, 'confirmName')
  const options: RunOptions = {
    requestId,
    stepUp: () => stepUp(actor, textOf(form, 'password') ?? ''),
    ...(confirmName !== undefined && { confirmName }),
  }
  if (operation.pace === 'slow') {
    const started = await startJob(actor, operation, target, fields, options)
    return started.ok ? { ok: true, data: { ...handOn(operation, {}), ...started.data } } : started
  }
  const { outcome, serverId } = await performOperation(actor, operation, target, fields, options)
  if (!outcome.ok) return outcome
  return { ok: true, data: { ...(serverId !== null && { serverId }), ...handOn(operation, outcome.data) } }
}

/** Members that the service did not send are left out. */
function handOn<O extends Operation>({ handsOn = [] }: O, answer: Readonly<Record<string, unknown>>): HandedOn<O> {
  const told = handsOn.flatMap((name) => (answer[name] === undefined ? [] : [[name, answer[name]]]))
  // Named in the operation's own definition, which no type can follow through computed names.
  return Object.fromEntries(told) as HandedOn<O>
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
