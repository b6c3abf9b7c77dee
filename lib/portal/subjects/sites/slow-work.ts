/** What follows the end of slow work on sites. */
import 'server-only'
import { contract } from '@/lib/contract'
import { renderPath } from '@/lib/contract/path'
import { type Problem, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { resolveLink } from '@/lib/portal/upstream/address'
import type { Connection, Job } from '@/prisma/generated/portal/client'
import { keepArchive } from '../archives/prepared'
import { type Credentials, keepCredentials } from '../credentials/kept'
import { findCreatedSite } from './created'
import { forgetSite, siteDeletes } from './gone'

/** connection: the one the job used last; null if it was removed. */
export type EndedJob = { row: Job; connection: Connection | null }

export type WorkEnd = { state: 'done' | 'failed' | 'interrupted' | 'unknown' | 'cancelled'; problem: Problem | null; answer?: unknown }

/** The end as the portal stores it, with what it stores of the job besides: see the columns of Job. */
export type Concluded = { end: WorkEnd; siteId?: string | null; note?: string }

const notListed = problem('outcome_unknown', {
  sentence: 'The service reported success, but the new site is not in its list yet. Check the list of sites before you try again.',
})

const noLink = problem('upstream_not_understood', {
  sentence: 'The service reported success, but sent no link to the archive. Prepare it again.',
})

const memberIn = (answer: unknown, name: string): unknown =>
  typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined

/** A text member of a decoded answer; empty if it has none. */
function textIn(answer: unknown, name: string): string {
  const value = memberIn(answer, name)
  return typeof value === 'string' ? value : ''
}

/** The credentials in a decoded answer; null if it has none. */
function credentialsIn(answer: unknown): Credentials | null {
  const given = memberIn(answer, 'credentials')
  const [url, user, password] = ['url', 'user', 'password'].map((name) => textIn(given, name))
  return url && user && password ? { url, user, password } : null
}

/** The row of the new site. Services need not return its id, so it is looked for in their list; also to settle an unknown outcome. */
export async function concludeCreation(job: EndedJob, end: WorkEnd): Promise<Concluded> {
  // What had begun is taken back.
  if (end.state === 'failed' || end.state === 'cancelled') return { end, siteId: null }
  const done = end.state === 'done'
  const siteId = await findCreatedSite(job, { upstreamId: textIn(end.answer, 'id'), onlyNew: !done, patient: end.state !== 'interrupted' })
  if (siteId) return { end: { ...end, state: 'done', problem: null }, siteId }
  return { end: done ? { state: 'unknown', problem: notListed } : end }
}

/** `backup`: where the last backup is, for the note on the job. */
export async function concludeDeletion({ row }: EndedJob, end: WorkEnd): Promise<Concluded> {
  if (end.state !== 'done' || row.siteId === null) return { end }
  await forgetSite(row.siteId)
  return { end, note: textIn(end.answer, 'backup') }
}

/** Credentials are kept for whoever started the job, before its end is shown. Nobody else gets them. */
export async function concludeWithCredentials({ row }: EndedJob, end: WorkEnd): Promise<Concluded> {
  const credentials = credentialsIn(end.answer)
  if (end.state === 'done' && credentials && row.startedById !== null) await keepCredentials(row, row.startedById, credentials)
  return { end }
}

/** The member of the answer that is the note on the job: where what was replaced is. */
export const concludeWithNote =
  (member: 'backup' | 'kept') =>
  async (_job: EndedJob, end: WorkEnd): Promise<Concluded> =>
    end.state === 'done' ? { end, note: textIn(end.answer, member) } : { end }

/** The link is kept encrypted, for the member who asked for it. It is neither on the job nor in the audit log. */
export async function concludeDownload({ row, connection }: EndedJob, end: WorkEnd): Promise<Concluded> {
  if (end.state !== 'done') return { end }
  const { id, teamId, startedById: userId, siteId, targetName: domain } = row
  const site = siteId === null ? null : await db().site.findUnique({ where: { id: siteId } })
  if (userId === null || siteId === null || !site || !connection) return { end }
  const given = textIn(end.answer, 'download_url')
  const path = renderPath(contract.sites.download, { site_id: site.upstreamId })
  const link = given === '' ? null : resolveLink(connection, path, given)
  if (link === null) return { end: { state: 'failed', problem: noLink } }
  const size = memberIn(end.answer, 'size')
  const expires = textIn(end.answer, 'expires')
  await keepArchive({
    id,
    teamId,
    userId,
    siteId,
    domain,
    link,
    connectionId: connection.id,
    size: typeof size === 'number' ? size : null,
    expires: Number.isNaN(Date.parse(expires)) ? null : new Date(expires).toISOString(),
    preparedAt: new Date(),
  })
  return { end }
}

/** Only from the audit log can a later list tell that a deletion is open. */
export async function settleLater({ row }: EndedJob, { state }: WorkEnd): Promise<void> {
  if (row.siteId !== null && (state === 'unknown' || state === 'interrupted')) await siteDeletes.note(row.siteId)
}
