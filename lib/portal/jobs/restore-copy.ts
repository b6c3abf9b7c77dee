/** Restores a site from a copy at a backup target. Its key and the repository's password are decrypted for this one request. */
import 'server-only'
import { copies } from '@/lib/contract/operations/copies'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { decide } from '@/lib/portal/access/decide'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import type { RunOptions } from '@/lib/portal/spine/run-operation'
import { folderOf, openCopyFields } from '@/lib/portal/subjects/backup-targets/repository'
import { findCopy } from './find-copy'
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
  const found = await findCopy(actor, copies.restore, site, ({ id }) => id === copyId)
  if (!found.ok) return found
  const { repository, snapshot, backup, sha256 } = found.data
  const { target } = repository
  const opened = await openCopyFields(target, repository)
  if (!opened) return { ok: false, problem: problem('key_locked') }
  const fields = { ...opened, snapshot, backup, ...(sha256 !== '' && { sha256 }), ...(backupFirst && { backup_first: '1' }) }
  return startJob(actor, copies.restore, { siteId }, fields, { ...options, about: target.label })
}

/** Why a restore that was held is not sent: its copy is not there any more, or not for whoever asked. fields: as they were held. Null if it is. */
export async function refuseHeldRestore(
  asker: Person,
  siteId: string,
  { snapshot, folder }: Readonly<Record<string, unknown>>,
): Promise<Problem | null> {
  const site = await db().site.findFirst({ where: { id: siteId, teamId: asker.team.id } })
  const found = await findCopy(
    asker,
    copies.restore,
    site,
    (copy) => copy.snapshot === snapshot && folderOf(copy.repository.target, copy.repository) === folder,
  )
  return found.ok ? null : found.problem
}
