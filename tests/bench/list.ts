/** The list of ten thousand servers. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { openChromium } from '../support/chromium'
import { createAccount } from '../support/first-steps'
import { makePlace, startGatehouse } from '../support/gatehouse-process'
import { measureLongList } from './long-list'
import type { Section } from './report'

const servers = 10_000

export async function measureList(): Promise<Section> {
  using place = await makePlace()
  await using gatehouse = await startGatehouse(place)
  await using visitor = await openChromium()
  await createAccount(visitor.page, gatehouse.setupLink ?? '')
  const since = performance.now()
  await promisify(execFile)('npm', ['run', '-s', 'sandbox:fill', '--', String(servers)], { env: { ...process.env, ...place.env } })
  const filled = (performance.now() - since) / 1000
  return {
    title: 'A list of 10,000 servers',
    how: 'Sandbox servers made by `npm run sandbox:fill`; keys and frames as Chromium itself counts them, drawing without a graphics card.',
    figures: [
      { what: 'servers made', value: filled, unit: 's' },
      ...(await measureLongList(visitor, { url: gatehouse.url, noun: 'server', typed: 'web fra 1' })),
    ],
  }
}
