/** The action of slow work that can be undone, and the action that undoes any change. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import type { Outcome } from '@/lib/contract/problem'
import { decide } from '@/lib/portal/access/decide'
import { startJob } from '@/lib/portal/jobs/start'
import { type OwnInput, ownAction } from '@/lib/portal/spine/guarded-action'
import { undoChange, undoName } from '@/lib/portal/subjects/undo/undo'
import { keepUndo, refuseChange, type Undoable } from '@/lib/portal/subjects/undoable/kept'
import type { Kept } from '@/lib/portal/subjects/undoable/kind'

type SiteChange<Field extends string> = {
  operation: Operation & { fields: Record<Field, unknown> }
  field: Field
  inverseOf: (value: string) => Kept
}

/** The action that starts a slow change to a site. Reads `siteId` and the operation's one field. */
export const slowSiteAction = <Field extends string>(change: SiteChange<Field>) =>
  ownAction(change.operation.id, (input) => startSiteChange(change, input))

/** Stores the undo before the job starts; the end of the job decides whether it stays (settleUndos). */
export async function startSiteChange<Field extends string>(
  { operation, field: name, inverseOf }: SiteChange<Field>,
  { actor, requestId, field }: OwnInput,
): Promise<Outcome<Undoable & { jobId: string }>> {
  const [siteId, value] = [field('siteId'), field(name)]
  const may = await decide(actor, operation, { siteId })
  if (!may.ok) return may
  const undo = await keepUndo(actor, { requestId, subject: { kind: 'site', id: siteId } }, inverseOf(value))
  const started = await startJob(actor, operation, { siteId }, { [name]: value }, { requestId })
  return started.ok ? { ok: true, data: { ...started.data, undo } } : refuseChange(undo, started.problem)
}

/** The action that undoes a change. Reads `undoId`, the id that the change returned. */
export const undoAction = () =>
  ownAction(undoName, ({ actor, requestId, field }) => undoChange(actor, field('undoId'), requestId, startJob))
