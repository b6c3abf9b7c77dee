/** The change of a site's settings, which can be undone. */
import 'server-only'
import { applyLimits } from '@/lib/contract/limits'
import { sites } from '@/lib/contract/operations/sites'
import { type Outcome, problem } from '@/lib/contract/problem'
import { decide } from '@/lib/portal/access/decide'
import { startJob } from '@/lib/portal/jobs/start'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { keptConfigure } from '@/lib/portal/subjects/site-settings/undo-configure'
import { keepUndo, refuseChange, type Undoable } from '@/lib/portal/subjects/undoable/kept'

/** What is not sent, or is empty, stays as it is. */
const optional = ['workers', 'waiting', 'www_redirect', 'hsts', 'mail_per_hour'] as const

/** Reads `siteId` and the fields of the operation. The end of the job decides whether the undo stays. */
export async function configureSite({ actor, requestId, field }: OwnInput): Promise<Outcome<Undoable & { jobId: string }>> {
  const siteId = field('siteId')
  const may = await decide(actor, sites.configure, { siteId })
  if (!may.ok) return may
  const given = {
    ...{ php: field('php'), upload_limit: field('upload_limit'), memory_limit: field('memory_limit'), folder: field('folder') },
    ...Object.fromEntries(optional.map((name) => [name, field(name)]).filter(([, value]) => value !== '')),
  }
  // Every service with this extension has its limits, so that no job has to fail before a field is corrected.
  const { input, refusals } = applyLimits(sites.configure, { site_id: '', ...given })
  if (Object.keys(refusals).length > 0) return { ok: false, problem: problem('invalid', { fields: refusals }) }
  const { site_id: _, ...settings } = input
  const inverse = await keptConfigure(actor, siteId, settings)
  if (!inverse.ok) return inverse
  const undo = await keepUndo(actor, { requestId, subject: { kind: 'site', id: siteId } }, inverse.data)
  const started = await startJob(actor, sites.configure, { siteId }, settings, { requestId })
  return started.ok ? { ok: true, data: { ...started.data, undo } } : refuseChange(undo, started.problem)
}
