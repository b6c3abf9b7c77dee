import { expect, test, vi } from 'vitest'
import { type CheckResult, checkBucket } from '@/lib/portal/subjects/backup-targets/check'
import { describeProblem } from '@/lib/portal/subjects/backup-targets/check-words'
import { readBucket, readBucketKeys } from '@/lib/portal/subjects/backup-targets/form'
import { type BucketRules, type BucketServer, startBucketServer } from '@/tests/support/bucket-server'
import { openPortalDatabase } from '@/tests/support/portal-database'

/** Tests it as a form with these fields would. */
async function check(server: BucketServer, more: Record<string, string> = {}): Promise<CheckResult> {
  const fields: Record<string, string> = { ...server.fields, ...more }
  const field = (name: string) => fields[name] ?? ''
  const [address, keys] = [readBucket(field), readBucketKeys(field)]
  if (!address.ok || !keys.ok) throw new Error('The form was refused.')
  return checkBucket({ id: 'a', address: address.data, keys: keys.data })
}

test('a bucket that keeps versions, with a key that only adds: nothing is found, and nothing is left there', async () => {
  await using _ = await openPortalDatabase()
  await using server = await startBucketServer()
  expect(await check(server)).toEqual({ problem: null, findings: [] })
  expect(server.objects()).toEqual([])
})

test.each([
  ['keeps versions', true, ['can_delete']],
  ['keeps no versions', false, ['can_delete', 'can_overwrite']],
] as const)('a key of servers that can delete is found in a bucket that %s', async (_, versions, findings) => {
  await using _db = await openPortalDatabase()
  await using server = await startBucketServer()
  Object.assign(server.rules, { versions })
  server.rules.rights.server = ['write', 'read', 'list', 'delete']
  expect(await check(server)).toEqual({ problem: null, findings })
  expect(server.objects()).toEqual([])
})

test('a bucket whose objects can be overwritten is found, and nothing is left there', async () => {
  await using _ = await openPortalDatabase()
  await using server = await startBucketServer()
  server.rules.versions = false
  expect(await check(server)).toEqual({ problem: null, findings: ['can_overwrite'] })
  expect(server.objects()).toEqual([])
})

const everything = ['write', 'read', 'list', 'delete'] as const
const without = (right: string) => everything.filter((each) => each !== right)

test.each<[string, Partial<BucketRules>, Record<string, string>, string]>([
  ['a wrong secret', {}, { serverKeySecret: 'not the secret'.replaceAll(' ', '-') }, 'server wrong_secret'],
  ['an unknown key', {}, { serverKeyId: 'NOBODY' }, 'server unknown_key'],
  ['a wrong secret of the other key', {}, { maintenanceKeySecret: 'not-the-secret' }, 'maintenance wrong_secret'],
  ['another bucket', {}, { bucket: 'nothing-here' }, 'server no_bucket'],
  ['another region', {}, { region: 'us-east-1' }, 'server region'],
  ['a key that may not write', { rights: { server: without('write'), maintenance: everything } }, {}, 'server denied_write'],
  ['a key that may not read', { rights: { server: without('read'), maintenance: everything } }, {}, 'server denied_read'],
  ['a key that may not list', { rights: { server: without('list'), maintenance: everything } }, {}, 'server denied_list'],
  ['maintenance that may not read', { rights: { server: everything, maintenance: without('read') } }, {}, 'maintenance denied_read'],
  [
    'maintenance that may not delete',
    { rights: { server: without('delete'), maintenance: without('delete') } },
    {},
    'maintenance denied_delete',
  ],
  ['a full target', { faults: { PUT: { status: 507, code: '' } } }, {}, 'server full'],
  ['a full target that says so by its code', { faults: { PUT: { status: 403, code: 'QuotaExceeded' } } }, {}, 'server full'],
  ['a target that is overloaded', { faults: { PUT: { status: 503, code: 'SlowDown' } } }, {}, 'server busy'],
  ['a target that redirects', { faults: { PUT: { status: 301, code: 'PermanentRedirect' } } }, {}, 'server region'],
  ['something that is no S3', { faults: { PUT: { status: 404, code: '' } } }, {}, 'server not_understood'],
  ['a target that returns something else', { altered: 'rotten' }, {}, 'server altered'],
  ['a clock that is ahead', { skewMs: 6 * 60_000 }, {}, 'server clock'],
  ['a clock that is behind', { skewMs: -6 * 60_000 }, {}, 'server clock'],
])('%s has its own reason', async (_, rules, fields, problem) => {
  await using _db = await openPortalDatabase()
  await using server = await startBucketServer()
  Object.assign(server.rules, rules)
  expect(await check(server, fields)).toEqual({ problem, findings: [] })
  expect(describeProblem(problem)).not.toBe(describeProblem('server of another version'))
  if (server.rules.rights.maintenance.includes('delete') && !problem.startsWith('maintenance')) expect(server.objects()).toEqual([])
})

test('a clock that differs by four minutes is no reason', async () => {
  await using _ = await openPortalDatabase()
  await using server = await startBucketServer()
  server.rules.skewMs = -4 * 60_000
  expect(await check(server)).toEqual({ problem: null, findings: [] })
})

test('nothing listens: the target did not respond', async () => {
  await using _ = await openPortalDatabase()
  const server = await startBucketServer()
  await server[Symbol.asyncDispose]()
  expect(await check(server)).toEqual({ problem: 'server unreachable', findings: [] })
})

test('a target that never answers ends the test as a whole', async () => {
  await using _ = await openPortalDatabase()
  await using server = await startBucketServer()
  server.rules.hangs = true
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  const shortened = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 200))
  const began = performance.now()
  expect(await check(server)).toEqual({ problem: 'server slow', findings: [] })
  // The limit of one request alone is 15 seconds.
  expect(performance.now() - began).toBeLessThan(14_000)
  shortened.mockRestore()
})

test.each([
  ['endpoint', 'http://169.254.169.254'],
  ['endpoint', 'https://10.0.0.1'],
  ['endpoint', 'https://s3.example.org/bucket'],
  ['endpoint', 'https://user:pass@s3.example.org'],
  ['bucket', '../other'],
  ['bucket', 'Upper'],
  ['folder', 'a/../b'],
  ['folder', 'a b'],
  ['region', 'eu/west'],
])('the form refuses the %s %s', async (name, text) => {
  await using _ = await openPortalDatabase()
  const fields: Record<string, string> = { endpoint: 'https://s3.example.org', bucket: 'copies', [name]: text }
  const read = readBucket((each) => fields[each] ?? '')
  expect(read.ok ? {} : read.problem.fields).toHaveProperty(name)
})

test('the form refuses one key for both, and keys that a header cannot have', async () => {
  const secrets = { serverKeySecret: 'long-enough', maintenanceKeySecret: 'long-enough' }
  const refused = (fields: Record<string, string>) => {
    const read = readBucketKeys((name) => ({ ...secrets, ...fields })[name] ?? '')
    return read.ok ? [] : Object.keys(read.problem.fields ?? {})
  }
  expect(refused({ serverKeyId: 'ONE', maintenanceKeyId: 'TWO' })).toEqual([])
  expect(refused({ serverKeyId: 'ONE', maintenanceKeyId: 'ONE' })).toEqual(['maintenanceKeyId'])
  expect(refused({ serverKeyId: 'ONE/x', maintenanceKeyId: 'TWO\n' })).toEqual(['serverKeyId'])
  expect(refused({ serverKeyId: 'ONE', maintenanceKeyId: 'TWO', serverKeySecret: 'with a space' })).toEqual(['serverKeySecret'])
})
