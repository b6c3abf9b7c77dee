/** Two hundred servers looked at by somebody: each summary read every 30 seconds, through the portal. */
import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openChromium } from '../support/chromium'
import { findHolder } from '../support/claimant'
import { createAccount } from '../support/first-steps'
import { type Gatehouse, makePlace, startGatehouse } from '../support/gatehouse-process'
import { readCpuMs } from './process-stat'
import type { Section } from './report'

const servers = 200
const everyMs = 30_000
const rounds = 3

export async function measurePolling(): Promise<Section> {
  using place = await makePlace()
  await using gatehouse = await startGatehouse(place)
  const cookie = await signUp(gatehouse)
  await promisify(execFile)('npm', ['run', '-s', 'sandbox:fill', '--', String(servers)], { env: { ...process.env, ...place.env } })
  const ids = await listIds(gatehouse.url, cookie)
  const pids = [findHolder(place, 'portal'), findHolder(place, 'service')] as const
  const used = () => pids.map(readCpuMs)
  // Each is opened for the first time once, and that is not what polling costs.
  await poll(gatehouse.url, cookie, ids)
  const [since, before] = [performance.now(), used()]
  let unanswered = 0
  for (let round = 0; round < rounds; round += 1) unanswered += await poll(gatehouse.url, cookie, ids)
  const took = performance.now() - since
  const [portal = Number.NaN, service = Number.NaN] = used().map((ms, n) => ((ms - (before[n] ?? 0)) / took) * 100)
  return {
    title: 'Two hundred servers, polled',
    how: `The summaries of ${ids.length} sandbox servers, each read every 30 s through the portal for ${(rounds * everyMs) / 1000} s; flaky ones let callers down now and then.`,
    figures: [
      { what: 'portal', value: portal, unit: '% of a core' },
      { what: 'service', value: service, unit: '% of a core' },
      { what: 'both together', value: portal + service, unit: '% of a core', target: 15, floor: 15 },
      { what: 'summaries not had', value: unanswered, unit: '' },
    ],
  }
}

/** All of them once, spread evenly over the time. Resolves with how many were not answered well. */
async function poll(url: string, cookie: string, ids: readonly string[]): Promise<number> {
  const since = performance.now()
  const asked = []
  for (const [n, id] of ids.entries()) {
    await delay(Math.max(0, since + (n * everyMs) / ids.length - performance.now()))
    asked.push(fetch(`${url}/api/operations/servers.summary?server=${id}`, { headers: { cookie } }).then(({ ok }) => ok))
  }
  await delay(Math.max(0, since + everyMs - performance.now()))
  return (await Promise.all(asked)).filter((ok) => !ok).length
}

/** Once the portal has heard of all of them. */
async function listIds(url: string, cookie: string): Promise<string[]> {
  for (;;) {
    const answer = await fetch(`${url}/api/servers`, { headers: { cookie } })
    const { servers: listed } = (await answer.json()) as { servers: { id: string }[] }
    if (listed.length >= servers) return listed.map(({ id }) => id)
    await delay(1000)
  }
}

async function signUp(gatehouse: Gatehouse): Promise<string> {
  await using visitor = await openChromium()
  await createAccount(visitor.page, gatehouse.setupLink ?? '')
  return (await visitor.context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
}
