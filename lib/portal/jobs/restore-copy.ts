/** Restores a site from a copy at a backup target. Its key and the repository's password are decrypted for this one request. */
import 'server-only'
import { copies } from '@/lib/contract/operations/copies'
import { type Outcome, problem } from '@/lib/contract/problem'
import { decide } from '@/lib/portal/access/decide'
import { recordDenied } from '@/lib/portal/access/denied'
import type { Person } from '@/lib/portal/identity/actor'
import type { RunOptions } from '@/lib/portal/spine/run-operation'
import { refuseSite } from '@/lib/portal/subjects/backup-targets/find'
import { openCopyFields } from '@/lib/portal/subjects/backup-targets/repository'
import { listRestorable } from '@/lib/portal/subjects/backup-targets/restorable'
import { startJob } from './start'

type Wanted = { siteId: string; copyId: string; backupFirst: boolean }

/** options: with the typed domain. The copy may be of a site that is gone, on any server. */
export async function startRestoreOfCopy(
  actor: Person,
  { siteId, copyId, backupFirst }: Wanted,
  options: RunOptions,
): Promise<Outcome<{ jobId: string }>> {
  const { confirmName } = options
  const may = await decide(actor, copies.restore, { siteId }, { confirmName })
  if (!may.ok) return may
  const { site, connection } = may.data
  if (!connection.extensions) return { ok: false, problem: problem('not_built') }
  const copy = site && (await listRestorable(actor, site)).find(({ id }) => id === copyId)
  if (!copy) {
    await recordDenied(actor, copies.restore.id, { kind: 'site', id: siteId }, 'not_found')
    return { ok: false, problem: problem('not_found') }
  }
  const { repository, snapshot, backup, sha256 } = copy
  const { target } = repository
  // The service gets the key of the target, as when a copy is made. A member's own target has only what its owner could download.
  const refused = target.ownerId === null ? await refuseSite(actor, target, siteId) : null
  if (refused !== null) {
    await recordDenied(actor, copies.restore.id, { kind: 'site', id: siteId }, 'forbidden')
    return { ok: false, problem: problem('forbidden', { sentence: refused }) }
  }
  const opened = await openCopyFields(target, repository)
  if (!opened) return { ok: false, problem: problem('key_locked') }
  const fields = { ...opened, snapshot, backup, ...(sha256 !== '' && { sha256 }), ...(backupFirst && { backup_first: '1' }) }
  return startJob(actor, copies.restore, { siteId }, fields, { ...options, about: target.label })
}
