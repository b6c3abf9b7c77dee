/** What a job sends: its values, and which script of the package runs them. */
import { expect, test } from 'vitest'
import { readCatalogue } from '@/lib/service/machines/apps/catalogue'
import { measureJobs, measureSiteJob } from './job-bytes'
import { siteWorks } from './site-works'

const most = 4096

test('a job of each kind sends at most 4 KB, from its start to its end', async () => {
  const large = [...(await measureJobs())].filter(([, bytes]) => bytes > most)
  expect(large).toEqual([])
})

test.each(readCatalogue())('so does the installation of $title', async (app) => {
  expect(await measureSiteJob({ ...siteWorks.app, app })).toBeLessThanOrEqual(most)
})

test('the first job on a server sends the package once, in at most 330 KB', async () => {
  const bytes = await measureSiteJob(siteWorks.backup, true)
  expect(bytes).toBeGreaterThan(100_000)
  expect(bytes).toBeLessThanOrEqual(330 * 1024)
})
