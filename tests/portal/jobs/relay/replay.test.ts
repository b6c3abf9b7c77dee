import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { watchJob } from '@/lib/portal/jobs/relay/watch-job'
import { measureStall } from '@/tests/support/longest-stall'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { prepareInstall, stateOf, upTo } from '@/tests/support/portal-install'
import { startUpstream } from '@/tests/support/upstream/upstream'

const lines = 12_000
const viewers = 20

/** Reads a stream to its end without keeping it: how many lines came, in order, and whether the last one did. */
async function countLines(actor: Actor, jobId: string): Promise<{ lines: number; last: number }> {
  const response = await watchJob(actor, jobId, new Request(`http://localhost/api/jobs/${jobId}/events`))
  let [seen, last, rest] = [0, 0, '']
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? new ReadableStream()) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const seq = block.startsWith('id: ') ? Number.parseInt(block.slice(4), 10) : 0
      if (seq === 0) continue
      expect(seq).toBe(last + 1)
      ;[seen, last] = [seen + 1, seq]
    }
  }
  return { lines: seen, last }
}

test('lines by the thousand are sent again to 20 who open the job at once, page by page: the portal stands still at no time', {
  timeout: 180_000,
  retry: 1,
}, async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, installLines: 1 })
  const { install, actor } = await prepareInstall(upstream)
  const jobId = await install()
  await expect.poll(() => stateOf(jobId), { timeout: 20_000 }).toBe('done')
  await db().$executeRaw`
    WITH RECURSIVE "number"("seq") AS (SELECT 2 UNION ALL SELECT "seq" + 1 FROM "number" WHERE "seq" < ${lines})
    INSERT INTO "JobEvent" ("jobId", "seq", "at", "step", "status", "message")
    SELECT ${jobId}, "seq", ${new Date()}, 'packages', 'running', 'Unpacking package ' || "seq" || ' over and over, as apt does' FROM "number"`
  await db().job.update({ where: { id: jobId }, data: { eventCount: lines } })
  const { result: seen, stalled } = await measureStall(() => Promise.all(upTo(viewers).map(() => countLines(actor, jobId))))
  expect(new Set(seen.map(({ lines: count, last }) => `${count} ${last}`))).toEqual(new Set([`${lines} ${lines}`]))
  expect(stalled).toBeLessThan(0.1)
})
