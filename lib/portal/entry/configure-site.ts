/** The change of a site's settings, which can be undone. */
import 'server-only'
import { applyLimits } from '@/lib/contract/limits'
import { sites } from '@/lib/contract/operations/sites'
import { type Outcome, problem } from '@/lib/contract/problem'
import { startJob } from '@/lib/portal/jobs/start'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { keptConfigure, readSettings, type SiteSettings } from '@/lib/portal/subjects/site-settings/undo-configure'
import { type Undoable, undoableChange } from '@/lib/portal/subjects/undoable/change'
import { onSite } from '@/lib/portal/subjects/undoable/subject'

/** What is not sent, or is empty, stays as it is. */
const optional = ['workers', 'waiting', 'www_redirect', 'hsts', 'mail_per_hour'] as const

/** Reads `siteId` and the fields of the operation. The end of the job decides whether the undo stays. */
export function configureSite({ actor, requestId, field }: OwnInput): Promise<Outcome<Undoable & { jobId: string }>> {
  const siteId = field('siteId')
  return undoableChange(actor, onSite({ siteId, requestId }), {
    operation: sites.configure,
    async read() {
      const after = readWanted(field)
      if (!after.ok) return after
      const before = await readSettings(actor, siteId)
      return before.ok ? { ok: true, data: { before: before.data, after: after.data } } : before
    },
    inverse: ({ before, after }) => keptConfigure(before, after),
    run: ({ after }) => startJob(actor, sites.configure, { siteId }, after, { requestId }),
  })
}

/** Every service with this extension has its limits, so that no job has to fail before a field is corrected. */
function readWanted(field: OwnInput['field']): Outcome<SiteSettings> {
  const { input, refusals } = applyLimits(sites.configure, {
    site_id: '',
    php: field('php'),
    upload_limit: field('upload_limit'),
    memory_limit: field('memory_limit'),
    folder: field('folder'),
    ...Object.fromEntries(optional.map((name) => [name, field(name)]).filter(([, value]) => value !== '')),
  })
  if (Object.keys(refusals).length > 0) return { ok: false, problem: problem('invalid', { fields: refusals }) }
  const { site_id: _, ...settings } = input
  return { ok: true, data: settings }
}
