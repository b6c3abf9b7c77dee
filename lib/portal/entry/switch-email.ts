/** Switches email of a site, as a job that can be undone. */
import 'server-only'
import { email } from '@/lib/contract/operations/email'
import type { Outcome } from '@/lib/contract/problem'
import { startJob } from '@/lib/portal/jobs/start'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { keptEmailSwitch } from '@/lib/portal/subjects/email/undo-switch'
import { readNothing, type Undoable, undoableChange } from '@/lib/portal/subjects/undoable/change'
import { onSite } from '@/lib/portal/subjects/undoable/subject'

/** More than the names of the few mail servers that a domain has. */
const maxElsewhere = 1000

/** Reads `siteId`, `status`, `anyway` and `elsewhere`: the mail server that DNS names, as the page showed it. */
export function switchEmail({ actor, requestId, field }: OwnInput): Promise<Outcome<Undoable & { jobId: string }>> {
  const [siteId, status] = [field('siteId'), field('status')]
  return undoableChange(actor, onSite({ siteId, requestId }), {
    operation: email.set,
    read: readNothing,
    inverse: () => keptEmailSwitch(status, field('elsewhere').slice(0, maxElsewhere)),
    run: () => startJob(actor, email.set, { siteId }, { status, anyway: field('anyway') }, { requestId }),
  })
}
