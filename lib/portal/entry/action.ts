/** The spine as a server action: one line per operation in a page's actions.ts. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import type { Outcome } from '@/lib/contract/problem'
import type { Target } from '@/lib/portal/access/decide'
import type { Person } from '@/lib/portal/identity/actor'
import { stepUp } from '@/lib/portal/identity/step-up'
import { startJob } from '@/lib/portal/jobs/start'
import { type ActionResult, guardedAction, textOf } from '@/lib/portal/spine/guarded-action'
import type { GivenFields } from '@/lib/portal/spine/prepare-request'
import type { RunOptions } from '@/lib/portal/spine/run-operation'
import { performOperation } from '@/lib/portal/subjects/spine'

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

async function submit(actor: Person, operation: Operation, form: FormData, requestId: string): Promise<Outcome<ActionData>> {
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
