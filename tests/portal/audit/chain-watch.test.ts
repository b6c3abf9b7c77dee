import { afterEach, expect, test, vi } from 'vitest'
import { watchChain } from '@/lib/portal/audit/chain-watch'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { forgetProcess } from '@/tests/support/reset-process'

afterEach(() => {
  vi.useRealTimers()
  forgetProcess()
})

const record = () =>
  recordAudit({
    teamId: null,
    actor: { kind: 'nobody' },
    action: 'session.signIn',
    object: { kind: 'user', id: null },
    stage: 'event',
    outcome: 'failed',
  })

test('security 51: a log that was tampered with, or cut off, is detected at the next walk', async () => {
  await using _ = await openPortalDatabase()
  for (let n = 0; n < 4; n += 1) await record()
  expect((await watchChain(10_000))?.verdict).toMatchObject({ ok: true, rows: 4 })
  await db().auditRow.delete({ where: { seq: 4 } })
  // Within five minutes the last finding stands: one person loading the page over and over is no load.
  expect((await watchChain(10_000))?.verdict).toMatchObject({ ok: true, rows: 4 })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 301_000 })
  expect((await watchChain(10_000))?.verdict).toMatchObject({ ok: false, badSeq: 4 })
})

test('simultaneous callers share one walk, and nobody waits longer than their limit', async () => {
  await using _ = await openPortalDatabase()
  await record()
  const rows = await db().auditRow.findMany()
  let release = () => {}
  const held = new Promise<typeof rows>((resolve) => {
    release = () => resolve(rows)
  })
  const walked = vi.spyOn(db(), '$queryRaw').mockImplementation(() => held as never)
  const patient = [watchChain(10_000), watchChain(10_000)]
  expect(await watchChain(0)).toBeNull()
  release()
  const looks = await Promise.all(patient)
  expect(looks[0]).toBe(looks[1])
  expect(looks[0]?.verdict).toMatchObject({ ok: true, rows: 1 })
  expect(walked).toHaveBeenCalledTimes(1)
})
