/** Installs whose answer says that it is something else, and those that are answered in one piece. */
import { expect, test } from 'vitest'
import { findJob } from '@/lib/portal/jobs/view'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { prepareInstall, stateOf, storedLines } from '@/tests/support/portal-install'
import type { Fault } from '@/tests/support/upstream/faults'
import { startUpstream } from '@/tests/support/upstream/upstream'
import type { Variant } from '@/tests/support/upstream/variants'

const patience = { timeout: 20_000 }
const written: readonly Variant[] = ['stream-as-html', 'stream-as-json', 'stream-as-bytes', 'stream-as-nothing', 'php-warning']

const cases = written.flatMap((variant) => [true, false].map((extensions) => [variant, extensions] as const))

test.each(cases)('an install written as %s is read as a stream, line by line while it runs, extensions %s', async (variant, extensions) => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions, silentMs: 1_500 })
  const { install, path } = await prepareInstall(upstream)
  upstream.set(variant, { path })
  const jobId = await install()
  await expect.poll(async () => (await storedLines(jobId)).length, patience).toBe(3)
  expect(await stateOf(jobId)).toBe('running')
  await expect.poll(() => stateOf(jobId), patience).toBe('done')
  expect((await storedLines(jobId)).map(({ message }) => message.slice(0, 10))).toEqual(
    Array.from({ length: 10 }, (_line, index) => `Line ${index + 1} of 10`.slice(0, 10)),
  )
  expect(upstream.callsTo('GET', path)).toHaveLength(1)
})

const whole: readonly [Fault, string, string | null][] = [
  ['install-done', 'done', null],
  ['install-success', 'done', null],
  ['install-success-after-warning', 'done', null],
  ['install-failed', 'failed', 'The service could not do this: \u2068The disk is full.\u2069'],
  ['success-false', 'failed', 'The service could not do this: \u2068The server is locked.\u2069'],
  ['error-alone', 'failed', 'The service could not do this: \u2068No such server.\u2069'],
  ['host-unreachable', 'failed', 'The server cannot be reached.'],
  ['html', 'unknown', null],
  ['empty', 'unknown', null],
]

test.each(whole)('an install of a foreign service answered in one piece as %s is %s', async (fault, state, sentence) => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { install, path, actor } = await prepareInstall(upstream)
  upstream.set(fault, { path })
  const jobId = await install()
  await expect.poll(() => stateOf(jobId), patience).toBe(state)
  const { problem } = (await findJob(actor, jobId)) ?? {}
  if (sentence !== null) expect(problem?.sentence).toBe(sentence)
  if (state === 'unknown') expect(problem?.code).toBe('outcome_unknown')
  expect(JSON.stringify(problem)).not.toMatch(/</)
  expect(upstream.callsTo('GET', path)).toHaveLength(1)
})
