import { expect, test } from 'vitest'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { prepareInstall, storedLines } from '@/tests/support/portal-install'
import { startUpstream } from '@/tests/support/upstream/upstream'

test('security 45: at most 64 KB of an endless line are kept, and memory does not grow', { timeout: 90_000 }, async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { install, path } = await prepareInstall(upstream)
  upstream.set('long-line', { path })
  const before = process.memoryUsage().rss
  const jobId = await install()
  await expect.poll(() => upstream.bytesSent, { timeout: 60_000 }).toBeGreaterThan(50_000_000)
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024)
  for (const { message } of await storedLines(jobId)) expect(message.length).toBeLessThanOrEqual(65_536)
})
