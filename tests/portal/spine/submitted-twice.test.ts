/** A form that reaches two portals of one PostgreSQL at one moment. */
import { expect, test } from 'vitest'
import { problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { answerOnce, pruneSubmissions } from '@/lib/portal/spine/submissions'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { postgresqlMissing } from '@/tests/support/postgresql'
import { forgetProcess } from '@/tests/support/reset-process'

const who = ['user', 'servers.reboot'] as const

test.skipIf(postgresqlMissing)('of two portals that get the same form, one runs it', async () => {
  await using _ = await openPortalDatabase({ engine: 'postgresql' })
  const given = createOpaqueId()
  let runs = 0
  let finish = () => {}
  const first = answerOnce(who, given, async () => {
    runs += 1
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    return { ok: true, data: 'done' }
  })
  await expect.poll(() => runs).toBe(1)
  // The other portal knows nothing of what this one has in memory.
  forgetProcess()
  const second = await answerOnce(who, given, async () => {
    runs += 1
    return { ok: true, data: 'again' }
  })
  finish()
  expect([second, await first, runs]).toMatchObject([{ ok: false, problem: { code: 'outcome_unknown' } }, { ok: true, data: 'done' }, 1])
  await db().submission.updateMany({ data: { at: new Date(Date.now() - 700_000) } })
  await pruneSubmissions()
  expect(await db().submission.count()).toBe(0)
})

test.skipIf(postgresqlMissing)('what was refused before it changed anything may be sent to either portal again', async () => {
  await using _ = await openPortalDatabase({ engine: 'postgresql' })
  const given = createOpaqueId()
  const refused = await answerOnce(who, given, async () => ({ ok: false, problem: problem('invalid') }))
  forgetProcess()
  const sent = await answerOnce(who, given, async () => ({ ok: true, data: 'done' }))
  expect([refused, sent]).toMatchObject([{ ok: false }, { ok: true, data: 'done' }])
})

test('on SQLite nothing is stored', async () => {
  await using _ = await openPortalDatabase({ engine: 'sqlite' })
  await answerOnce(who, createOpaqueId(), async () => ({ ok: true, data: 'done' }))
  expect(await db().submission.count()).toBe(0)
})
