/** What a copy knows of its proofs, from the beginning of a job to its end. */
import 'server-only'
import * as z from 'zod'
import { contract } from '@/lib/contract'
import { problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import type { BackupCopy, BackupRepository, BackupTarget } from '@/prisma/generated/portal/client'
import type { Concluded, EndedJob, WorkEnd } from '../sites/slow-work'
import { openCopyFields } from './repository'

type Proven = Pick<BackupCopy, 'snapshot' | 'backup' | 'sha256'> & { repository: BackupRepository & { target: BackupTarget } }

/** The fields of copies.prove; null if the keys or the password cannot be decrypted. */
export async function openProofFields({ snapshot, backup, sha256, repository }: Proven): Promise<Record<string, string> | null> {
  const opened = await openCopyFields(repository.target, repository)
  return opened && { ...opened, snapshot, backup, ...(sha256 !== '' && { sha256 }) }
}

/** former: the job that the copy named until now. False if it names another one meanwhile. */
export async function noteProofJob(copyId: string, former: string, jobId: string): Promise<boolean> {
  return (await db().backupCopy.updateMany({ where: { id: copyId, proofJobId: former }, data: { proofJobId: jobId } })).count > 0
}

/** The fields with which a later process follows the job; null once the copy was removed or its target frozen. */
export async function readProofFields(jobId: string): Promise<Record<string, string> | null> {
  const where = { proofJobId: jobId }
  const copy = await db().backupCopy.findFirst({ where, include: { repository: { include: { target: true } } } })
  return copy && copy.repository.target.frozenAt === null ? openProofFields(copy) : null
}

const verdicts = ['good', 'bad', 'postponed', 'unchecked'] as const

type Verdict = (typeof verdicts)[number]

const answered = z.object({ verdict: z.enum(verdicts), cause: z.string().max(40), reason: z.string().max(300) })

type Found = z.infer<typeof answered>

const notSaid = 'The service reported success, but not what the proof found.'

function findingOf(end: WorkEnd): Found {
  const answer = end.state === 'done' ? answered.safeParse(contract.copies.prove.answer.parse(end.answer ?? {})) : null
  if (answer?.success) return answer.data
  return { verdict: 'unchecked', cause: end.problem?.code ?? end.state, reason: end.problem?.sentence ?? notSaid }
}

/** Before the end of the job is stored. A job that has found a bad copy has failed for whoever looks at jobs; one that was postponed has not. */
export async function concludeProof({ row }: EndedJob, end: WorkEnd): Promise<Concluded> {
  if (end.state === 'cancelled') return { end }
  const found = findingOf(end)
  await storeProof(row.id, found)
  if (end.state !== 'done' || found.verdict === 'good') return { end }
  const state = found.verdict === 'postponed' ? 'cancelled' : 'failed'
  const code = state === 'cancelled' ? 'cancelled' : 'unsuitable'
  return { end: { state, problem: problem(code, { sentence: found.reason || notSaid }) } }
}

/** What could not be checked leaves what is known: a bad copy stays bad until a later proof is good. */
async function storeProof(jobId: string, { verdict, cause, reason }: Found): Promise<void> {
  const at = new Date()
  const copy = await db().backupCopy.findFirst({ where: { proofJobId: jobId }, select: { id: true, badAt: true } })
  if (!copy) return
  const said = { proofCause: cause, proofProblem: verdict === 'good' ? '' : reason || notSaid }
  const of: Readonly<Record<Verdict, Partial<BackupCopy>>> = {
    good: { ...said, provenAt: at, badAt: null },
    bad: { ...said, badAt: copy.badAt ?? at },
    postponed: copy.badAt === null ? said : {},
    unchecked: copy.badAt === null ? said : {},
  }
  await db().backupCopy.update({ where: { id: copy.id }, data: { proofAt: at, proof: verdict, ...of[verdict] } })
}
