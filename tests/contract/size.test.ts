import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { problem } from '@/lib/contract/problem'
import { readSize } from '@/lib/contract/size'
import { sampleOf } from '@/lib/portal/subjects/samples/sample'
import { seededRuns } from '@/tests/support/seeds'

const gb = 1024 ** 3

test.each([
  ['12884901888', 12 * gb],
  [' 12 GB ', 12 * gb],
  ['1,5G', 1.5 * gb],
  ['512 MiB', gb / 2],
  ['0', 0],
  ['2T', 2048 * gb],
  ['7 b', 7],
])('%j is a size in bytes', (text, bytes) => {
  expect(readSize(text)).toEqual({ bytes, share: null })
})

test.each(['', 'n/a', '-5', '1e9', '12 parsecs', '101%', '1.2.3 GB', '12.5', '27,5', 'GB', '9'.repeat(19)])('%j is no size', (text) => {
  expect(readSize(text)).toBeNull()
})

test('whatever a service writes, a size is null, or a number from 0 that can be reckoned with', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\d{0,20}[.,]?\d{0,7} ?[kmgtpKMGT]?i?[bB%]?$/)), (text) => {
      const size = readSize(text)
      const figure = size?.bytes ?? size?.share ?? 0
      expect(Number.isFinite(figure) && figure >= 0).toBe(true)
    }),
    { numRuns: seededRuns(2000) },
  )
})

const said = (given: Record<string, string>) => {
  const { item } = contract.servers.summary.answer.parse({ item: [{ name: 'a', ...given }] })
  return sampleOf('s', { ok: true, data: { item } }, 600_000)
}

test('a summary becomes figures where they can be told, and a share counts where the whole is known', () => {
  expect(said({ disk_space: '41%', disk_total: '100 GB', mem_total: '4 GB', mem_free: '1 GB', updates: '12' })).toEqual({
    serverId: 's',
    at: 10,
    reachable: true,
    diskUsed: 41 * gb,
    diskTotal: 100 * gb,
    memUsed: 3 * gb,
    memTotal: 4 * gb,
    updates: 12,
    load: null,
  })
  expect(said({ disk_space: '30', disk_free: '10', disk_total: '', mem_total: '8', mem_free: '9' })).toMatchObject({
    diskUsed: 30,
    diskTotal: 40,
    // More free than there is: one of the two is no size of memory.
    memUsed: null,
    memTotal: 8,
  })
  expect(said({ disk_space: '41%', disk_free: 'lots' })).toMatchObject({ diskUsed: null, diskTotal: null, reachable: true, updates: null })
})

test('only what a service says of the machine makes it unreachable; a service that is away says nothing of it', () => {
  const of = (code: Parameters<typeof problem>[0]) => sampleOf('s', { ok: false, problem: problem(code) }, 0)?.reachable
  for (const code of ['unreachable', 'too_slow', 'login_failed', 'host_key_changed'] as const) expect(of(code)).toBe(false)
  for (const code of ['upstream_unreachable', 'upstream_failed', 'key_rejected', 'not_installed', 'internal'] as const)
    expect(of(code)).toBeUndefined()
})
