/** Undoes a change of a site's settings. */
import 'server-only'
import * as z from 'zod'
import type { Answer } from '@/lib/contract/operation'
import { sites } from '@/lib/contract/operations/sites'
import { type Outcome, problem } from '@/lib/contract/problem'
import type { Actor } from '@/lib/portal/identity/actor'
import { tooLate } from '../revert/run-inverse'
import { runOperation } from '../spine'
import { type Kept, kept, undoKind } from '../undoable/kind'

const settings = z.object({
  php: z.string(),
  upload_limit: z.string(),
  memory_limit: z.string(),
  folder: z.string(),
  workers: z.string().exactOptional(),
  waiting: z.string().exactOptional(),
  hsts: z.string().exactOptional(),
  www_redirect: z.string().exactOptional(),
  mail_per_hour: z.string().exactOptional(),
})

/** The fields of sites.configure. */
export type SiteSettings = z.infer<typeof settings>

/** What was not sent stays as it is. */
const optional = ['workers', 'waiting', 'hsts', 'mail_per_hour', 'www_redirect'] as const

const sameOptional = (one: SiteSettings, other: SiteSettings): boolean =>
  optional.every((name) => one[name] === undefined || other[name] === undefined || Number(one[name]) === Number(other[name]))

const same = (one: SiteSettings, other: SiteSettings): boolean =>
  one.php === other.php &&
  Number(one.upload_limit) === Number(other.upload_limit) &&
  Number(one.memory_limit) === Number(other.memory_limit) &&
  one.folder === other.folder &&
  sameOptional(one, other)

/** Null if the service does not report them all, or a limit is no plain number: they could not be restored. */
function findSettings({ item: [item] }: Answer<typeof sites.settings>): SiteSettings | null {
  const { php, upload_limit, memory_limit, folder, workers, waiting, hsts, mail_per_hour, www_redirect } = item
  if (!php || !upload_limit || !memory_limit || folder === undefined) return null
  const numbers = { ...(workers && { workers }), ...(waiting && { waiting }), ...(hsts && { hsts }) }
  const mail = mail_per_hour ? { mail_per_hour } : {}
  return {
    php,
    upload_limit,
    memory_limit,
    folder,
    ...numbers,
    ...mail,
    ...(www_redirect !== undefined && { www_redirect: www_redirect ? '1' : '0' }),
  }
}

/** Whether each of these that is about to change can be restored. */
const hasOptional = (before: SiteSettings, after: SiteSettings): boolean =>
  optional.every((name) => after[name] === undefined || before[name] !== undefined)

/** Sends the former settings, as a job, unless somebody changed them since. */
export const undoConfigure = undoKind({
  name: 'sites.configure',
  /** after: as they were sent. */
  schema: z.object({ before: settings, after: settings }),
  summary: 'Restores the former settings.',
  plain: true,
  needs: sites.configure,
  page: ({ id }) => ({ href: `/sites/${id}/settings`, label: 'Settings' }),
  async revert(actor, { target, startSlow, requestId, undoes }, { before, after }) {
    const read = await runOperation(actor, sites.settings, target)
    if (!read.ok) return read
    const now = findSettings(read.data)
    if (now && same(now, before)) return tooLate('The site has its former settings, so there is nothing to undo.')
    if (!now || !same(now, after)) return tooLate('The settings were changed again since. Change them on the page Settings.')
    const started = await startSlow(actor, sites.configure, target, before, { requestId, undoes })
    return started.ok ? { ok: true, data: { ...started.data, message: 'The former settings were restored.' } } : started
  },
})

/** The present settings; null if they could not be restored. A problem if the service does not report them. */
export async function readSettings(actor: Actor, siteId: string): Promise<Outcome<SiteSettings | null>> {
  const read = await runOperation(actor, sites.settings, { siteId })
  if (!read.ok) return read
  return read.data.item[0].php === undefined ? { ok: false, problem: notReported } : { ok: true, data: findSettings(read.data) }
}

/** What would undo a change from `before` to `after`; null if nothing can. */
export const keptConfigure = (before: SiteSettings | null, after: SiteSettings): Kept | null =>
  before && hasOptional(before, after) ? kept(undoConfigure, { before, after }) : null

const notReported = problem('not_built', { sentence: 'The service does not report the settings of this site.' })
