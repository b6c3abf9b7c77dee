/** Turns operations into server actions: one line per operation in a page's actions.ts. */
import 'server-only'
import type { Answer, Operation } from '@/lib/contract/operation'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import type { Target } from '@/lib/portal/access/decide'
import type { Person } from '@/lib/portal/identity/actor'
import { readProof, stepUp } from '@/lib/portal/identity/step-up'
import { startJob } from '@/lib/portal/jobs/start'
import { type ActionResult, guardedAction, textOf } from '@/lib/portal/spine/guarded-action'
import type { GivenFields } from '@/lib/portal/spine/prepare-request'
import type { RunOptions } from '@/lib/portal/spine/run-operation'
import { performOperation } from '@/lib/portal/subjects/spine'

/** The members of an operation's answer that its action returns to the page; each may be missing. */
type HandedOn<O extends Operation> = O extends { handsOn: readonly (infer Name)[] }
  ? Partial<Pick<Answer<O>, Name & keyof Answer<O>>>
  : Record<never, never>

/** The job of a slow operation; the id of a server it created; and the members of the answer that it returns to the page. */
export type ActionData<O extends Operation = Operation> = { jobId?: string; serverId?: string } & HandedOn<O>

export type PortalAction<O extends Operation = Operation> = (
  previous: ActionResult<ActionData<O>> | null,
  form: FormData,
) => Promise<ActionResult<ActionData<O>>>

/**
 * Creates the action of an operation, for useActionState. Reads from the form: the target (`serverId`, `siteId` or `connectionId`, the
 * portal's own ids), the operation's fields by the interface's names, `confirmName` if it requires confirmation, and `requestId` (any
 * random id from the page): the same id within 10 minutes returns the earlier result instead of running again.
 */
export function portalAction<O extends Operation>(operation: O, refuse?: Refuse): PortalAction<O> {
  return guardedAction(operation.id, async (actor, form, requestId) => {
    const refused = refuse ? await refuse(actor, readTarget(form), (name) => textOf(form, name)) : null
    return refused ? { ok: false, problem: refused } : submit(actor, operation, form, requestId)
  })
}

/** A further check of the form before the operation; null to continue. */
type Refuse = (actor: Person, target: Target, field: (name: string) => string | undefined) => Promise<Problem | null>

/** Like portalAction, for several operations: the form's `operation` is the id of the one to run. `name` represents all of them in logs. */
export function portalActionAmong(name: string, operations: readonly Operation[]): PortalAction {
  const byId = new Map(operations.map((operation) => [operation.id, operation]))
  return guardedAction(name, async (actor, form, requestId) => {
    const operation = byId.get(textOf(form, 'operation') ?? '')
    return operation ? submit(actor, operation, form, requestId) : { ok: false, problem: problem('invalid') }
  })
}

async function submit<O extends Operation>(
  actor: Person,
  operation: O,
  form: FormData,
  requestId: string,
): Promise<Outcome<ActionData<O>>> {
  const [target, fields] = [readTarget(form), readFields(operation, form)]
  const confirmName = textOf(form, 'confirmName')
  const options: RunOptions = {
    requestId,
    stepUp: () =>
      stepUp(
        actor,
        readProof((name) => textOf(form, name) ?? ''),
      ),
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

/** Omits members that the service did not send. */
function handOn<O extends Operation>({ handsOn = [] }: O, answer: Readonly<Record<string, unknown>>): HandedOn<O> {
  const told = handsOn.flatMap((name) => (answer[name] === undefined ? [] : [[name, answer[name]]]))
  // The operation's definition lists the names, which the type system cannot follow.
  return Object.fromEntries(told) as HandedOn<O>
}

function readTarget(form: FormData): Target {
  const names = ['serverId', 'siteId', 'connectionId'] as const
  return Object.fromEntries(names.flatMap((name) => [textOf(form, name)].filter(Boolean).map((value) => [name, value])))
}

/** Text by name; lists by `name` or `name[]`. No field accepts a file. */
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
