/** The action of slow work that can be undone, and the action that undoes any change. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import type { Outcome } from '@/lib/contract/problem'
import { startJob } from '@/lib/portal/jobs/start'
import { type OwnInput, ownAction } from '@/lib/portal/spine/guarded-action'
import { undoChange, undoName } from '@/lib/portal/subjects/undo/undo'
import { readNothing, type Undoable, undoableChange } from '@/lib/portal/subjects/undoable/change'
import type { Kept } from '@/lib/portal/subjects/undoable/kind'
import { onSite } from '@/lib/portal/subjects/undoable/subject'

type SiteChange<Field extends string> = {
  operation: Operation & { fields: Record<Field, unknown> }
  field: Field
  inverseOf: (value: string) => Kept
}

/** The action that starts a slow change to a site. Reads `siteId` and the operation's one field. */
export const slowSiteAction = <Field extends string>(change: SiteChange<Field>) =>
  ownAction(change.operation.id, (input) => startSiteChange(change, input))

/** The end of the job decides whether the undo stays (settleUndos). */
export function startSiteChange<Field extends string>(
  { operation, field: name, inverseOf }: SiteChange<Field>,
  { actor, requestId, field }: OwnInput,
): Promise<Outcome<Undoable & { jobId: string }>> {
  const [siteId, value] = [field('siteId'), field(name)]
  return undoableChange(actor, onSite({ siteId, requestId }), {
    operation,
    read: readNothing,
    inverse: () => inverseOf(value),
    run: () => startJob(actor, operation, { siteId }, { [name]: value }, { requestId }),
  })
}

/** The action that undoes a change. Reads `undoId`, the id that the change returned. */
export const undoAction = () =>
  ownAction(undoName, ({ actor, requestId, field, stepUp }) => undoChange(actor, field('undoId'), requestId, startJob, stepUp))
