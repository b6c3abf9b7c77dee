/** Switches email of a site, as a job that can be undone. */
import 'server-only'
import { email } from '@/lib/contract/operations/email'
import type { Outcome } from '@/lib/contract/problem'
import { decide } from '@/lib/portal/access/decide'
import { startJob } from '@/lib/portal/jobs/start'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { keptEmailSwitch } from '@/lib/portal/subjects/email/undo-switch'
import { keepUndo, refuseChange, type Undoable } from '@/lib/portal/subjects/undoable/kept'

/** More than the names of the few mail servers that a domain has. */
const maxElsewhere = 1000

/** Reads `siteId`, `status`, `anyway` and `elsewhere`: the mail server that DNS names, as the page showed it. */
export async function switchEmail({ actor, requestId, field }: OwnInput): Promise<Outcome<Undoable & { jobId: string }>> {
  const [siteId, status] = [field('siteId'), field('status')]
  const may = await decide(actor, email.set, { siteId })
  if (!may.ok) return may
  const inverse = keptEmailSwitch(status, field('elsewhere').slice(0, maxElsewhere))
  const undo = await keepUndo(actor, { requestId, subject: { kind: 'site', id: siteId } }, inverse)
  const started = await startJob(actor, email.set, { siteId }, { status, anyway: field('anyway') }, { requestId })
  return started.ok ? { ok: true, data: { ...started.data, undo } } : refuseChange(undo, started.problem)
}
