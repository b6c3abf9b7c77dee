/** Sets the password with which the user of a site, or of its staging copy, signs in by SFTP. */
import 'server-only'
import { apps } from '@/lib/contract/operations/apps'
import { sites } from '@/lib/contract/operations/sites'
import { users } from '@/lib/contract/operations/users'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { recordDenied } from '@/lib/portal/access/denied'
import { mayRun } from '@/lib/portal/access/roles'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { findSite } from '../sites/find'
import { runOperation } from '../spine'

/**
 * Reads `siteId`, `pass` and, for the staging copy, `staging`.
 * The service names the user: saving one that a deleted site had would create a system user, with a shell.
 */
export async function setSftpPassword({ actor, requestId, field }: OwnInput): Promise<Outcome<Record<never, never>>> {
  const siteId = field('siteId')
  const refused = async (code: 'forbidden' | 'not_found') => {
    await recordDenied(actor, users.save.id, { kind: 'site', id: siteId }, code)
    return { ok: false, problem: problem(code) } as const
  }
  if (!mayRun(actor.role, users.save.effect)) return refused('forbidden')
  const site = await findSite(actor, siteId)
  if (!site?.serverId) return refused('not_found')
  const summary = await runOperation(actor, sites.summary, { siteId })
  if (!summary.ok) return summary
  const { user, state } = summary.data.item[0]
  if (!user) return { ok: false, problem: noUser }
  if (state === 'creating' || state === 'deleting') return { ok: false, problem: notReady }
  const { serverId, domain } = site
  const whose = field('staging') === '1' ? await userOfCopy(actor, siteId) : { user, about: domain }
  if ('problem' in whose) return { ok: false, problem: whose.problem }
  return runOperation(actor, users.save, { serverId }, { user: whose.user, pass: field('pass') }, { requestId, about: whose.about })
}

async function userOfCopy(actor: OwnInput['actor'], siteId: string): Promise<{ user: string; about: string } | { problem: Problem }> {
  const read = await runOperation(actor, apps.staging, { siteId })
  if (!read.ok) return { problem: read.problem }
  const { domain, access } = read.data.item[0]
  return access?.user ? { user: access.user, about: domain } : { problem: noUser }
}

const noUser = problem('unsuitable', { sentence: 'The service does not report a user of this site, so its password cannot be set here.' })

const notReady = problem('busy', { sentence: 'The site is being created or deleted. Wait until that ends.' })
