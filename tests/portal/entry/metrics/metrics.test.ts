/** The portal's figures: they count what happened and name nobody. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { countRequest, countViewer, observeUpstream } from '@/lib/portal/base/figures'
import { answerMetrics } from '@/lib/portal/entry/metrics/serve'
import { runOperation } from '@/lib/portal/subjects/spine'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { prepareInstall } from '@/tests/support/portal-install'
import { startUpstream } from '@/tests/support/upstream/upstream'

const read = async (): Promise<Map<string, number>> => {
  const text = await (await answerMetrics(new Request('http://127.0.0.1/metrics'))).text()
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  for (const line of samples) expect(line).toMatch(/^[a-z_]+(\{[a-z]+="[\w.+]+"(,[a-z]+="[\w.+]+")*\})? -?\d+(\.\d+)?(e-?\d+)?$/i)
  return new Map(samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]))
}

test('operations, upstream calls, viewers and requests are counted, and no label contains an id or a name', async () => {
  await using _portal = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { actor, serverId } = await prepareInstall(upstream)
  const before = await read()
  await runOperation(actor, contract.servers.summary, { serverId })
  await runOperation(actor, contract.servers.delete, { serverId }, {}, { confirmName: 'not its name' })
  countRequest('GET', 200)
  countRequest('PROPFIND-of-somebody', 404)
  const leave = countViewer()
  const after = await read()
  expect(after.get('gatehouse_operations_total{operation="servers.summary",outcome="done"}')).toBe(1)
  expect(after.get('gatehouse_operations_total{operation="servers.delete",outcome="refused"}')).toBe(1)
  expect(after.get('gatehouse_requests_total{method="GET",status="2xx"}')).toBe(1)
  expect(after.get('gatehouse_requests_total{method="other",status="4xx"}')).toBe(1)
  expect(after.get('gatehouse_viewers')).toBe(1)
  expect((after.get('gatehouse_upstream_seconds_count') ?? 0) - (before.get('gatehouse_upstream_seconds_count') ?? 0)).toBe(1)
  expect(after.get('gatehouse_jobs_running')).toBe(0)
  expect(after.get('process_resident_memory_bytes')).toBeGreaterThan(1e7)
  expect([...after.keys()].join()).not.toContain(serverId)
  leave()
  expect((await read()).get('gatehouse_viewers')).toBe(0)
})

test('each bucket of the histogram counts everything up to its bound, and the last one everything', async () => {
  await using _portal = await openPortalDatabase()
  const before = await read()
  for (const seconds of [0.004, 0.3, 90]) observeUpstream(seconds)
  const after = await read()
  const more = (bound: string) => {
    const name = `gatehouse_upstream_seconds_bucket{le="${bound}"}`
    return (after.get(name) ?? 0) - (before.get(name) ?? 0)
  }
  expect(['0.005', '0.25', '0.5', '60', '+Inf'].map(more)).toEqual([1, 1, 2, 2, 3])
})

test('nothing but GET /metrics is answered', async () => {
  const ask = async (path: string, method = 'GET') => (await answerMetrics(new Request(`http://127.0.0.1${path}`, { method }))).status
  expect([await ask('/'), await ask('/metrics/x'), await ask('/metrics', 'POST')]).toEqual([404, 404, 405])
})

test('these are all the metrics, in Prometheus’s text format', async () => {
  await using _portal = await openPortalDatabase()
  const answer = await answerMetrics(new Request('http://127.0.0.1/metrics'))
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const types = (await answer.text()).split('\n').filter((line) => line.startsWith('# TYPE '))
  expect(types.map((line) => line.slice('# TYPE '.length))).toEqual([
    'gatehouse_requests_total counter',
    'gatehouse_operations_total counter',
    'gatehouse_jobs_running gauge',
    'gatehouse_viewers gauge',
    'gatehouse_upstream_seconds histogram',
    'gatehouse_backup_age_seconds gauge',
    'gatehouse_backup_bytes gauge',
    'gatehouse_backup_failures_total counter',
    'process_resident_memory_bytes gauge',
    'process_cpu_seconds_total counter',
    'process_start_time_seconds gauge',
  ])
})
