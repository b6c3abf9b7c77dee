/** Waiting for the end of a job that a stream reports. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { waitForJob } from '@/app/_shared/jobs/wait-for-job'
import { problem } from '@/lib/contract/problem'

const seen = vi.hoisted(() => ({ emit: (_news: unknown): void => {} }))
vi.mock('@/app/_shared/jobs/job-stream', async (original) => ({
  ...(await original<typeof import('@/app/_shared/jobs/job-stream')>()),
  openJobStream: (_jobId: string, _tail: unknown, emit: (news: unknown) => void) => {
    seen.emit = emit
    return () => {}
  },
}))
vi.mock('@/app/_shared/reads/read', () => ({ read: () => new Promise(() => {}) }))

const locks = { request: async (_name: string, _options: object, act: () => Promise<void>) => act() }

beforeEach(() => vi.stubGlobal('navigator', { locks, onLine: true }))
afterEach(() => vi.unstubAllGlobals())

const report = (state: string, why: object | null = null) =>
  seen.emit({ kind: 'state', job: { state, problem: why, endedAt: state === 'running' ? null : '2026-11-23T10:00:00Z', eventCount: 0 } })

test.each([
  ['done', null, null],
  ['failed', problem('upstream_failed'), { code: 'upstream_failed' }],
  ['unknown', null, { code: 'outcome_unknown' }],
])('the other tabs learn of a job that ends as %s, then it is left', async (state, why, outcome) => {
  const jobId = `job-${state}`
  const other = new BroadcastChannel(`gatehouse-job-${jobId}`)
  const told: string[] = []
  other.onmessage = ({ data }: MessageEvent<{ job: { state: string } }>) => void told.push(data.job.state)
  const end = waitForJob(jobId)
  report('running')
  report(state, why)
  if (outcome === null) expect(await end).toBeNull()
  else expect(await end).toMatchObject(outcome)
  await expect.poll(() => told).toEqual(['running', state])
  other.close()
})
