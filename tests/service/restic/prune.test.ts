/** Deleting copies with Debian's restic: those that are kept come back byte for byte, and a server's key deletes nothing. */
import { execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import type { BucketTarget } from '@/lib/service/machines/copy-target'
import { resticSentences } from '@/lib/service/restic/failure'
import { createPruner, pruneWith } from '@/lib/service/restic/prune'
import { getSettings } from '@/lib/settings/settings'
import { type BucketServer, startBucketServer } from '@/tests/support/bucket-server'

const run = promisify(execFile)

// The bucket is on this machine.
beforeAll(() => {
  Object.assign(getSettings(), { allowedPrivateUpstreams: ['127.0.0.0/8'] })
})
const hourMs = 3_600_000

function targetOf({ fields }: BucketServer, key: 'server' | 'maintenance', folder = 'fleet/one'): BucketTarget {
  const { endpoint = '', region = '', bucket = '' } = fields
  const [keyId = '', keySecret = ''] = [fields[`${key}KeyId`], fields[`${key}KeySecret`]]
  return {
    kind: 's3',
    endpoint,
    region,
    bucket,
    folder,
    keyId,
    keySecret,
    password: createHash('sha256').update(folder).digest('hex'),
    limitKb: '',
  }
}

const environmentOf = ({ endpoint, bucket, folder, region, keyId, keySecret, password }: BucketTarget) => ({
  ...process.env,
  RESTIC_REPOSITORY: `s3:${endpoint}/${bucket}/${folder}`,
  RESTIC_PASSWORD: password,
  AWS_ACCESS_KEY_ID: keyId,
  AWS_SECRET_ACCESS_KEY: keySecret,
  AWS_DEFAULT_REGION: region,
})

/** As a server makes one: with its key alone. Returns the id of the snapshot. */
async function copy(target: BucketTarget, content: Buffer): Promise<string> {
  const command = ['--no-cache', '--json', 'backup', '--stdin', '--stdin-filename', 'archive.tar', '--host', 'gatehouse']
  const restic = spawn('/usr/bin/restic', command, { env: environmentOf(target), stdio: ['pipe', 'pipe', 'inherit'] })
  let printed = ''
  restic.stdout.on('data', (text: Buffer) => {
    printed += text.toString()
  })
  restic.stdin.end(content)
  await new Promise((resolve) => {
    restic.once('close', resolve)
  })
  return /"snapshot_id":"([0-9a-f]+)"/.exec(printed)?.[1] ?? ''
}

async function restore(target: BucketTarget, snapshot: string): Promise<Buffer> {
  const command = ['--no-cache', '--no-lock', 'dump', snapshot, 'archive.tar']
  const { stdout } = await run('/usr/bin/restic', command, { env: environmentOf(target), encoding: 'buffer', maxBuffer: 64 * 1024 ** 2 })
  return stdout
}

/** Three copies that share half of what they have. */
async function makeCopies(target: BucketTarget) {
  await run('/usr/bin/restic', ['--no-cache', 'init'], { env: environmentOf(target) })
  const shared = randomBytes(2_000_000)
  const contents = [1, 2, 3].map(() => Buffer.concat([shared, randomBytes(2_000_000)]))
  const ids: string[] = []
  for (const content of contents) ids.push(await copy(target, content))
  expect(ids.every((id) => /^[0-9a-f]{8,64}$/.test(id))).toBe(true)
  return { contents, ids }
}

const snapshotsIn = (bucket: BucketServer, folder = 'fleet/one') =>
  bucket.objects().filter((name) => name.startsWith(`${folder}/snapshots/`)).length

const locksIn = (bucket: BucketServer) => bucket.objects().filter((name) => name.includes('/locks/')).length

const sentenceOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { problem?: { sentence: string } }).problem?.sentence ?? String(error),
  )

test('the named copies are deleted with what only they need; the others come back byte for byte, and another server keeps all', async () => {
  await using bucket = await startBucketServer()
  const [server, other] = [targetOf(bucket, 'server'), targetOf(bucket, 'server', 'fleet/two')]
  const [{ contents, ids }, foreign] = [await makeCopies(server), await makeCopies(other)]
  const others = () => bucket.objects().filter((name) => name.startsWith('fleet/two/'))
  const [before, packs] = [others(), bucket.objects().filter((name) => name.startsWith('fleet/one/data/')).length]
  const pruner = createPruner()
  const target = targetOf(bucket, 'maintenance')
  const wanted = [ids[0] ?? '', ids[1] ?? '']
  // A second call meanwhile has the outcome of the first; one for other copies is refused.
  const first = pruner.prune(target, wanted)
  const [second, third] = [pruner.prune(target, wanted), sentenceOf(pruner.prune(target, [ids[2] ?? '']))]
  expect(await Promise.all([first, second])).toEqual([2, 2])
  expect(await third).toContain('Other copies are being deleted')
  expect(snapshotsIn(bucket)).toBe(1)
  expect(bucket.objects().filter((name) => name.startsWith('fleet/one/data/')).length).toBeLessThan(packs)
  expect((await restore(server, ids[2] ?? '')).equals(contents[2] ?? Buffer.alloc(0))).toBe(true)
  expect(others()).toEqual(before)
  expect((await restore(other, foreign.ids[0] ?? '')).equals(foreign.contents[0] ?? Buffer.alloc(0))).toBe(true)
  // What is gone already is no failure.
  expect(await pruner.prune(target, wanted)).toBe(0)
  expect(locksIn(bucket)).toBe(0)
  // The next copy finds what it shares with the one that was kept.
  expect((await restore(server, await copy(server, contents[0] ?? Buffer.alloc(0)))).equals(contents[0] ?? Buffer.alloc(0))).toBe(true)
})

test('the key of a server deletes nothing', async () => {
  await using bucket = await startBucketServer()
  const server = targetOf(bucket, 'server')
  const { contents, ids } = await makeCopies(server)
  expect(await sentenceOf(createPruner().prune(server, ids.slice(0, 2)))).toBe(resticSentences.key)
  expect(snapshotsIn(bucket)).toBe(3)
  expect((await restore(server, ids[0] ?? '')).equals(contents[0] ?? Buffer.alloc(0))).toBe(true)
})

test('a copy that runs is not disturbed, and a lock that nobody has held for an hour is removed', async () => {
  await using bucket = await startBucketServer()
  const server = targetOf(bucket, 'server')
  const { ids } = await makeCopies(server)
  const command = ['--no-cache', '--json', 'backup', '--stdin', '--stdin-filename', 'archive.tar']
  const running = spawn('/usr/bin/restic', command, { env: environmentOf(server), stdio: ['pipe', 'ignore', 'ignore'] })
  running.stdin.write(randomBytes(100_000))
  await expect.poll(() => locksIn(bucket), { timeout: 20_000 }).toBe(1)
  const target = targetOf(bucket, 'maintenance')
  expect(await sentenceOf(createPruner().prune(target, [ids[0] ?? '']))).toBe(resticSentences.locked)
  expect([snapshotsIn(bucket), locksIn(bucket)]).toEqual([3, 1])
  running.kill('SIGKILL')
  await new Promise((resolve) => {
    running.once('close', resolve)
  })
  // restic itself would take this lock for abandoned, because its process was on a machine of this name.
  expect(await sentenceOf(createPruner().prune(target, [ids[0] ?? '']))).toBe(resticSentences.locked)
  expect(await createPruner({ now: () => Date.now() + 2 * hourMs }).prune(target, [ids[0] ?? ''])).toBe(1)
  expect([snapshotsIn(bucket), locksIn(bucket)]).toEqual([2, 0])
})

test('a service that stops ends restic, which removes its lock', async () => {
  await using bucket = await startBucketServer()
  const server = targetOf(bucket, 'server')
  const { ids } = await makeCopies(server)
  const pruner = createPruner()
  const said = sentenceOf(pruner.prune(targetOf(bucket, 'maintenance'), ids.slice(0, 2)))
  await expect.poll(() => snapshotsIn(bucket), { timeout: 60_000, interval: 5 }).toBeLessThan(3)
  await pruner.stop()
  expect(await said).toContain('not known')
  expect(locksIn(bucket)).toBe(0)
})

const everyWay: [string, Partial<BucketTarget>, BucketServer['rules']['faults'], keyof typeof resticSentences][] = [
  ['a wrong secret', { keySecret: 'not-the-secret' }, {}, 'key'],
  ['a wrong password', { password: 'x'.repeat(43) }, {}, 'password'],
  ['a bucket that is gone', { bucket: 'other' }, {}, 'missing'],
  ['a repository that is gone', { folder: 'fleet/none' }, {}, 'missing'],
  ['an address inside a private network', { endpoint: 'https://10.0.0.1' }, {}, 'address'],
  ['a name that does not exist', { endpoint: 'https://no-such-host.invalid' }, {}, 'unreachable'],
  ['a target that is away', { endpoint: 'http://127.0.0.1:9' }, {}, 'unreachable'],
  ['a target that is full', {}, { PUT: { status: 507, code: 'InsufficientStorage' } }, 'full'],
  ['a clock that is wrong', {}, { PUT: { status: 403, code: 'RequestTimeTooSkewed' } }, 'clock'],
  ['a key that may not delete', {}, { DELETE: { status: 403, code: 'AccessDenied' } }, 'key'],
]

test('each cause has its own sentence, without a secret, and nothing is deleted', async () => {
  await using bucket = await startBucketServer()
  const { ids } = await makeCopies(targetOf(bucket, 'server'))
  for (const [name, change, faults, why] of everyWay) {
    bucket.rules.faults = faults
    const said = await sentenceOf(createPruner().prune({ ...targetOf(bucket, 'maintenance'), ...change }, ids))
    expect({ name, said }).toEqual({ name, said: resticSentences[why] })
    expect(snapshotsIn(bucket)).toBe(3)
  }
})

test('restic goes through the gate, which resolves names', async () => {
  await using bucket = await startBucketServer()
  // It speaks no TLS.
  const endpoint = bucket.endpoint.replace('http://127.0.0.1', 'https://no-such-host.invalid')
  const pruner = createPruner({ resolve: async () => ['127.0.0.1'] })
  const said = await sentenceOf(pruner.prune({ ...targetOf(bucket, 'maintenance'), endpoint }, ['a'.repeat(64)]))
  expect(said).toBe(resticSentences.certificate)
})

test('by plain http restic goes through the gate too, where each name is looked up again', async () => {
  await using bucket = await startBucketServer()
  await makeCopies(targetOf(bucket, 'server'))
  const target = { ...targetOf(bucket, 'maintenance'), endpoint: bucket.endpoint.replace('127.0.0.1', 'no-such-host.invalid') }
  expect(await createPruner({ resolve: async () => ['127.0.0.1'] }).prune(target, ['a'.repeat(64)])).toBe(0)
  const asked = ['127.0.0.1']
  const resolve = async () => [asked.shift() ?? '10.0.0.1']
  expect(await sentenceOf(createPruner({ resolve }).prune(target, ['a'.repeat(64)]))).toBe(resticSentences.key)
})

test('restic asks Amazon by a name that the gate knows, whose path has the bucket', async () => {
  const asked: string[] = []
  const resolve = async (host: string) => {
    asked.push(host)
    return ['127.0.0.1']
  }
  await using bucket = await startBucketServer()
  const target = { ...targetOf(bucket, 'maintenance'), endpoint: 'https://s3.eu-central-1.amazonaws.com', region: 'eu-central-1' }
  const pruner = createPruner({ resolve })
  const said = sentenceOf(pruner.prune(target, ['a'.repeat(64)]))
  await expect.poll(() => asked, { timeout: 20_000 }).toContain('s3.dualstack.eu-central-1.amazonaws.com')
  await pruner.stop()
  await said
})

test('without restic the sentence names the package', async () => {
  await using bucket = await startBucketServer()
  const path = process.env.PATH
  try {
    const only = await run('/usr/bin/mktemp', ['-d']).then(({ stdout }) => stdout.trim())
    for (const program of ['nice', 'ionice', 'prlimit', 'setpriv']) await run('/usr/bin/ln', ['-s', `/usr/bin/${program}`, only])
    process.env.PATH = only
    expect(await sentenceOf(createPruner().prune(targetOf(bucket, 'maintenance'), ['a'.repeat(64)]))).toContain('apt-get install restic')
  } finally {
    process.env.PATH = path
  }
})

test('of two snapshots with the same short id none is deleted, and a command of restic never has a rule', async () => {
  const commands: string[][] = []
  const there = [`abcdef12${'0'.repeat(56)}`, `abcdef12${'1'.repeat(56)}`, 'b'.repeat(64)]
  const fake = async (...command: string[]) => {
    commands.push(command)
    return command[1] === 'snapshots' ? there.join('\n') : ''
  }
  await expect(pruneWith(fake, ['abcdef12'], 0)).rejects.toThrow()
  expect(commands.map(([verb]) => verb)).toEqual(['list', 'list'])
  commands.length = 0
  expect(await pruneWith(fake, ['bbbbbbbb', 'c'.repeat(64)], 0)).toBe(1)
  expect(commands.slice(2)).toEqual([['forget', 'b'.repeat(64)], ['prune'], ['check']])
})
