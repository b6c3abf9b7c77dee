/** The row of a copy, from its job's beginning to its end. */
import 'server-only'
import * as z from 'zod'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import type { BackupRepository } from '@/prisma/generated/portal/client'
import type { Concluded, EndedJob, WorkEnd } from '../sites/slow-work'
import { openCopyFields } from './repository'

/** subject: a site; or a server, which has no domain. */
type Begun = { jobId: string; repository: Pick<BackupRepository, 'id'>; subject: { id: string; domain: string } }

export async function noteCopyBegun({ jobId, repository, subject }: Begun): Promise<void> {
  const data = {
    id: jobId,
    repositoryId: repository.id,
    siteId: subject.id,
    domain: subject.domain,
    state: 'running',
    startedAt: new Date(),
  } as const
  await db().backupCopy.upsert({ where: { id: jobId }, create: data, update: {} })
}

/** Of a job that was not started. */
export async function forgetCopy(jobId: string): Promise<void> {
  await db().backupCopy.deleteMany({ where: { id: jobId } })
}

/** The fields with which a later process follows the job; null once its target was removed or frozen. */
export async function readCopyFields(jobId: string): Promise<Record<string, string> | null> {
  const [copy, scheduled] = await Promise.all([
    db().backupCopy.findUnique({ where: { id: jobId }, include: { repository: { include: { target: true } } } }),
    db().nightCopy.findFirst({ where: { jobId }, select: { limitKb: true } }),
  ])
  if (!copy || copy.repository.target.frozenAt !== null) return null
  const fields = await openCopyFields(copy.repository.target, copy.repository)
  return fields && { ...fields, limit: formatLimit(scheduled?.limitKb ?? null) }
}

/** As the operation takes it. limitKb: KB/s; null for none. */
export const formatLimit = (limitKb: number | null): string => (limitKb === null ? '' : String(limitKb))

// Both are in the commands of the recovery kit.
const answered = z.object({
  snapshot: z.string().regex(/^[0-9a-f]{8,64}$/),
  backup: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,320}$/),
  bytes: z.number(),
  // Earlier versions of the service do not report it.
  sha256: z
    .string()
    .regex(/^([0-9a-f]{64})?$/)
    .default(''),
})

const notSaid = 'The service reported success, but no snapshot. Copy again.'

/** Before the end of the job is stored. A copy counts only with its snapshot. */
export async function concludeCopy({ row }: EndedJob, end: WorkEnd): Promise<Concluded> {
  const made = end.state === 'done' ? answered.safeParse(contract.copies.make.answer.parse(end.answer ?? {})) : null
  const state = made && !made.success ? 'unknown' : end.state
  const problem = end.state === 'done' ? (made?.success ? '' : notSaid) : (end.problem?.sentence ?? '')
  await db().backupCopy.updateMany({ where: { id: row.id }, data: { state, problem, endedAt: new Date(), ...made?.data } })
  return { end, note: made?.data?.backup ?? '' }
}
