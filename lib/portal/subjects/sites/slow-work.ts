/** What follows the end of slow work on sites. */
import 'server-only'
import { contract } from '@/lib/contract'
import { type Problem, problem } from '@/lib/contract/problem'
import type { Connection, Job } from '@/prisma/generated/portal/client'
import { findCreatedSite } from './created'
import { forgetSite, siteDeletes } from './gone'
import { shownChanges } from './shown-changes'

/** connection: the one the job used last; null if it was removed. */
export type EndedJob = { row: Job; connection: Connection | null }

type End = { state: 'done' | 'failed' | 'interrupted' | 'unknown'; problem: Problem | null; answer?: unknown }

const notListed = problem('outcome_unknown', {
  sentence: 'The service reported success, but the new site is not in its list yet. Check the list of sites before you try again.',
})

/** A text member of a decoded answer; empty if it has none. */
function textIn(answer: unknown, name: string): string {
  const value = typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined
  return typeof value === 'string' ? value : ''
}

/** The row of the new site. Services need not return its id, so it is looked for in their list; also to settle an unknown outcome. */
async function concludeCreation(job: EndedJob, end: End): Promise<{ end: End; siteId?: string }> {
  if (end.state === 'failed') return { end }
  const done = end.state === 'done'
  const siteId = await findCreatedSite(job, { upstreamId: textIn(end.answer, 'id'), onlyNew: !done, patient: end.state !== 'interrupted' })
  if (siteId) return { end: { ...end, state: 'done', problem: null }, siteId }
  return { end: done ? { state: 'unknown', problem: notListed } : end }
}

/** `backup`: where the last backup is, for the note on the job. */
async function concludeDeletion({ row }: EndedJob, end: End): Promise<{ end: End; note?: string }> {
  if (end.state !== 'done' || row.siteId === null) return { end }
  await forgetSite(row.siteId)
  return { end, note: textIn(end.answer, 'backup') }
}

/** Only from the audit log can a later list tell that a deletion is open. */
async function settleLater({ row }: EndedJob, { state }: End): Promise<void> {
  if (row.siteId !== null && (state === 'unknown' || state === 'interrupted')) await siteDeletes.note(row.siteId)
}

export const siteWork = {
  [contract.sites.create.id]: { conclude: concludeCreation },
  [contract.sites.delete.id]: { conclude: concludeDeletion, recorded: settleLater },
  [contract.ssl.set.id]: { shown: shownChanges.ssl },
  [contract.aliases.save.id]: { shown: shownChanges.aliasAdded },
  [contract.aliases.delete.id]: { shown: shownChanges.aliasRemoved },
  [contract.sites.configure.id]: { shown: shownChanges.settings },
  [contract.email.set.id]: { shown: shownChanges.email },
}
