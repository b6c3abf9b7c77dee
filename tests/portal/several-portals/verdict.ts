/** What is left after a run, held against what people were told. */
import { expect } from 'vitest'
import { verifyAudit } from '@/lib/portal/audit/verify'
import { db } from '@/lib/portal/base/db'
import type { JobState } from '@/prisma/generated/portal/client'
import { storedLines, upTo } from '@/tests/support/portal-install'
import type { Upstream } from '@/tests/support/upstream/upstream'
import type { Change } from './people'
import type { Seen } from './watchers'

type Run = { changes: readonly Change[]; seen: readonly Seen[]; upstream: Upstream; installLines: number }

/** wrong: a sentence each. */
export type Verdict = { counts: string; wrong: string[] }

const countBy = (names: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

const unended = () => db().job.count({ where: { endedAt: null } })

async function withoutOutcome(): Promise<number> {
  const [jobs, outcomes] = await Promise.all([
    db().job.findMany({ select: { id: true } }),
    db().auditRow.findMany({ where: { action: 'servers.install', stage: 'outcome' }, select: { requestId: true } }),
  ])
  const known = new Set(outcomes.map(({ requestId }) => requestId))
  return jobs.filter(({ id }) => !known.has(id)).length
}

/** The portals have followed every job to its end and logged that. */
export async function untilSettled(): Promise<void> {
  await expect.poll(unended, { timeout: 180_000, interval: 500 }).toBe(0)
  await expect.poll(withoutOutcome, { timeout: 150_000, interval: 1_000 }).toBe(0)
}

/** Each name was sent to the service at most once, and those that were acknowledged once, with one intent and one outcome in the audit log. */
async function checkRenames({ changes, upstream }: Run): Promise<string[]> {
  const renames = changes.filter(({ kind }) => kind === 'rename')
  const calls = upstream.calls.filter(({ method, path, authorized }) => method === 'POST' && path.endsWith('/update') && authorized)
  const sent = countBy(calls.map(({ fields }) => String(fields.name)))
  const rows = await db().auditRow.findMany({ where: { action: 'servers.update' }, select: { requestId: true, stage: true } })
  const logged = countBy(rows.map(({ requestId, stage }) => `${requestId} ${stage}`))
  return renames.flatMap(({ name, acknowledged, requestId }) => {
    const times = sent.get(name) ?? 0
    if (times > 1) return [`${name} was sent to the service ${times} times`]
    if (!acknowledged) return []
    if (times === 0) return [`${name} was acknowledged and never sent to the service`]
    const stages = (['intent', 'outcome'] as const).map((stage) => logged.get(`${requestId} ${stage}`) ?? 0)
    return stages.join() === '1,1' ? [] : [`${name} has ${stages.join(' and ')} entries in the audit log`]
  })
}

/**
 * Those that were acknowledged are in the audit log, and what is left of the labels is what the last answers said. A label whose form got no good
 * answer may still be put on after the form that takes it off: whoever sent it was told that nobody knows.
 */
async function checkLabels({ changes }: Run): Promise<string[]> {
  const rows = await db().auditRow.findMany({
    where: { action: { in: ['labels.add', 'labels.remove'] } },
    select: { action: true, detail: true },
  })
  const logged = countBy(rows.map(({ action, detail }) => `${action} ${JSON.parse(detail).label}`))
  const left = new Set((await db().label.findMany({ select: { name: true } })).map(({ name }) => name))
  const unlabelled = new Map(changes.filter(({ kind }) => kind === 'unlabel').map((change) => [change.name, change]))
  const labelled = new Set(changes.flatMap((change) => (change.kind === 'label' && change.acknowledged ? [change.name] : [])))
  return changes.flatMap(({ kind, name, acknowledged }) => {
    if (kind !== 'label' && kind !== 'unlabel') return []
    const times = logged.get(`labels.${kind === 'label' ? 'add' : 'remove'} ${name}`) ?? 0
    const wrong = times > 1 ? [`${kind} ${name} has ${times} entries in the audit log`] : []
    if (!acknowledged) return wrong
    if (times === 0) wrong.push(`${kind} ${name} was acknowledged and is not in the audit log`)
    if (kind === 'label' && !unlabelled.has(name) && !left.has(name)) wrong.push(`the label ${name} is lost`)
    if (kind === 'unlabel' && labelled.has(name) && left.has(name)) wrong.push(`the label ${name} is there although it was taken off`)
    return wrong
  })
}

type Installs = { wrong: string[]; done: number; failed: number; unsent: number }

/**
 * Each install has every line once, was started once, and has one intent and one outcome. unsent: those whose portal was killed before it sent
 * them; they have no line, say that their outcome is unknown, and were not started.
 */
async function checkInstalls({ changes, upstream, installLines }: Run): Promise<Installs> {
  const jobs = await db().job.findMany({ include: { server: true }, orderBy: { startedAt: 'asc' } })
  const rows = await db().auditRow.findMany({ where: { action: 'servers.install' }, select: { requestId: true, stage: true } })
  const logged = countBy(rows.map(({ requestId, stage }) => `${requestId} ${stage}`))
  const ids = new Set(jobs.map(({ id }) => id))
  const lost = changes.filter(({ kind, acknowledged, jobId = '' }) => kind === 'install' && acknowledged && !ids.has(jobId))
  const wrong = lost.map(({ jobId }) => `the job ${jobId} was acknowledged and is lost`)
  const lineIds = new Map<string, number[]>()
  for (const { id, state, server } of jobs) {
    const lines = await storedLines(id)
    const whole = state === 'done' ? upTo(installLines) : []
    if (!['done', 'failed', 'unknown'].includes(state)) wrong.push(`the job ${id} is ${state}`)
    if (lines.map(({ seq }) => seq).join() !== whole.join()) wrong.push(`the job ${id}, ${state}, has ${lines.length} lines`)
    for (const stage of ['intent', 'outcome']) {
      const times = logged.get(`${id} ${stage}`) ?? 0
      if (times !== 1) wrong.push(`the job ${id} has ${times} entries of its ${stage}`)
    }
    const upstreamId = server?.upstreamId ?? ''
    lineIds.set(upstreamId, [...(lineIds.get(upstreamId) ?? []), ...lines.map((line) => line.upstreamId ?? 0)])
  }
  for (const [upstreamId, numbers] of lineIds) {
    const starts = upstream.installStarts(upstreamId)
    const count = jobs.filter(({ server, state }) => server?.upstreamId === upstreamId && state === 'done').length
    if (starts !== count) wrong.push(`server ${upstreamId} was installed ${starts} times for ${count} jobs`)
    if (numbers.join() !== upTo(numbers.length).join()) wrong.push(`the lines of server ${upstreamId} are not in order`)
  }
  const count = (state: JobState) => jobs.filter((job) => job.state === state).length
  return { wrong, done: count('done'), failed: count('failed'), unsent: count('unknown') }
}

/** Each browser got every line of what it watched, once and in order. */
async function checkSeen({ seen }: Run): Promise<string[]> {
  const jobs = await db().job.findMany({ select: { id: true, eventCount: true } })
  const counts = new Map(jobs.map(({ id, eventCount }) => [id, eventCount]))
  return seen.flatMap(({ jobId, numbers }) => {
    const count = counts.get(jobId) ?? 0
    return numbers.join() === upTo(count).join() ? [] : [`a browser saw ${numbers.length} of ${count} lines of ${jobId}: ${numbers.join()}`]
  })
}

export async function findWrong(run: Run): Promise<Verdict> {
  const { changes, seen } = run
  const installs = await checkInstalls(run)
  const audit = await verifyAudit()
  // The portals have the files of heads, in their own folders. That this one is missing is said after every entry was found in order.
  const verifies = audit.ok || /^The file of signed heads .* is missing/.test(audit.why)
  const wrong = [...(await checkRenames(run)), ...(await checkLabels(run)), ...installs.wrong, ...(await checkSeen(run))]
  if (!verifies) wrong.push(`The audit log does not verify: ${audit.ok ? '' : audit.why}`)
  const acknowledged = changes.filter((change) => change.acknowledged).length
  const lines = seen.reduce((sum, { numbers }) => sum + numbers.length, 0)
  const counts = [
    `${acknowledged} of ${changes.length} changes acknowledged, ${changes.filter(({ sent }) => sent > 1).length} forms sent more than once.`,
    `${installs.done} installs done, ${installs.failed} failed and ${installs.unsent} never sent, watched ${seen.length} times, ${lines} lines.`,
    verifies ? `The audit log verifies: ${audit.ok ? audit.rows : audit.badSeq - 1} entries.` : '',
    `${wrong.length} wrong.`,
  ]
  return { counts: counts.join('\n'), wrong }
}
