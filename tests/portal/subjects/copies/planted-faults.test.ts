/** A hundred faults that are planted in copies, each found by the proof with its cause: by the host program and Debian's restic, in a server that is a folder. */
import { execFileSync, spawn } from 'node:child_process'
import { createCipheriv, createDecipheriv, createHash, scryptSync } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type BucketServer, startBucketServer } from '@/tests/support/bucket-server'
import { openChance } from '@/tests/support/seeds'

const root = mkdtempSync(path.join(tmpdir(), 'gatehouse-faults-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const chance = openChance()

const programs = path.join(root, 'programs')
const data = path.join(root, 'data')
const limited = 'while [[ $1 == -* ]]; do if [[ $1 == -p ]]; then shift; fi; shift; done; exec "$@"'
const mariadb = `
if [[ $* == *--defaults-file=*/login* ]]; then
  dump=$(cat)
  case $dump in *UNKNOWN*) echo "ERROR 1064 (42000) at line 3: You have an error in your SQL syntax" >&2; exit 1 ;; *FILLED*) echo "ERROR 1114 (HY000) at line 2: The table is full" >&2; exit 1 ;; esac
  exit
fi
case $(cat) in *@@datadir*) echo ${data} ;; *GLOBAL.max*) echo 4096 ;; *HEX*) echo 776F726473 ;; esac`
mkdirSync(programs, { recursive: true })
mkdirSync(data)
for (const [name, script] of Object.entries({ 'systemd-run': limited, mariadb, my_print_defaults: '', systemctl: '' })) {
  writeFileSync(path.join(programs, name), `#!/bin/bash\n${script}\n`)
  chmodSync(path.join(programs, name), 0o755)
}

/** restic makes its key from the password in half a second, by design. This one opens the same repository at once, so that a hundred proofs take a minute. */
function cheapen(text: Buffer, password: string): Buffer {
  const key = JSON.parse(text.toString())
  const derive = (N: number, r: number, p: number) =>
    scryptSync(password, Buffer.from(key.salt, 'base64'), 64, { N, r, p, maxmem: 1 << 28 })
  const sealed = Buffer.from(key.data, 'base64')
  const [nonce, body] = [sealed.subarray(0, 16), sealed.subarray(16, -16)]
  const crypt = (from: Buffer, content: Buffer) => createDecipheriv('aes-256-ctr', from.subarray(0, 32), nonce).update(content)
  const master = crypt(derive(key.N, key.r, key.p), body)
  const own = derive(2, 1, 1)
  const again = crypt(own, master)
  const data = Buffer.concat([nonce, again, authenticate(again, own.subarray(32), nonce)]).toString('base64')
  return Buffer.from(JSON.stringify({ ...key, N: 2, r: 1, p: 1, data }))
}

/** Poly1305-AES. keys: of AES, then r. */
function authenticate(content: Buffer, keys: Buffer, nonce: Buffer): Buffer {
  const little = (bytes: Buffer) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex') || '0'}`)
  const pad = createCipheriv('aes-128-ecb', keys.subarray(0, 16), null).update(nonce)
  const r = little(keys.subarray(16, 32)) & 0x0ffffffc0ffffffc0ffffffc0fffffffn
  let sum = 0n
  for (let at = 0; at < content.length; at += 16) {
    const piece = content.subarray(at, at + 16)
    sum = ((sum + little(piece) + (1n << BigInt(8 * piece.length))) * r) % ((1n << 130n) - 5n)
  }
  const tag = (sum + little(pad)) & ((1n << 128n) - 1n)
  return Buffer.from(tag.toString(16).padStart(32, '0'), 'hex').reverse()
}

const domain = 'one.test'
const backup = `${domain}-20261128-021400-nightly.tar.zst`
const dump = 'CREATE TABLE `words` (\n);\nINSERT INTO `words` VALUES (1);\n-- Dump completed\n'
const manifestOf = (site: string) => `format 2\nsite ${site}\nname one\ndatabase yes\nuser 1000\ngroup 1000\nweb 33\n`

type Parts = { site?: string; database?: string | null; page?: string; owner?: number }
let made = 0

/** An archive of a site as the host program writes it. */
function archive({ site = domain, database = dump, page = 'a page', owner = 1000 }: Parts = {}): Buffer {
  const folder = path.join(root, `parts-${++made}`)
  mkdirSync(path.join(folder, 'files/public'), { recursive: true })
  writeFileSync(path.join(folder, 'manifest'), manifestOf(site))
  if (database !== null) writeFileSync(path.join(folder, 'database.sql'), database)
  writeFileSync(path.join(folder, 'files/public/page'), page)
  // Nothing in it is like anything else in it, so that it is spread over several packs.
  const noise = Array.from({ length: 15_000 }, (_, index) => createHash('sha1').update(`${site} ${index}`).digest())
  writeFileSync(path.join(folder, 'files/public/image'), Buffer.concat(noise))
  const names = ['manifest', ...(database === null ? [] : ['database.sql']), 'files/public']
  const owned = ['--format=gnu', '--sort=name', `--owner=${owner}`, `--group=${owner}`, '--mode=u=rwX,go=rX']
  return execFileSync('tar', [...owned, '-C', folder, '-cf', '-', ...names], { maxBuffer: 1 << 28 })
}

type Repository = { endpoint: string; region: string; bucket: string; folder: string; keyId: string; keySecret: string; password: string }

/** restic itself, which makes what a server that was broken into could make too. */
function restic({ endpoint, region, bucket, folder, ...at }: Repository, args: readonly string[], input?: Buffer): Promise<string> {
  const env = {
    ...process.env,
    RESTIC_REPOSITORY: `s3:${endpoint}/${bucket}/${folder}`,
    RESTIC_PASSWORD: at.password,
    AWS_ACCESS_KEY_ID: at.keyId,
    AWS_SECRET_ACCESS_KEY: at.keySecret,
    AWS_DEFAULT_REGION: region,
  }
  return ended(spawn('/usr/bin/restic', ['--no-cache', '--quiet', ...args], { env }), input)
}

function ended(program: ReturnType<typeof spawn>, input?: Buffer | string): Promise<string> {
  let printed = ''
  for (const stream of [program.stdout, program.stderr])
    stream?.on('data', (text: Buffer) => {
      printed += text.toString()
    })
  program.stdin?.end(input)
  return new Promise((resolve) => {
    program.once('close', () => resolve(printed))
  })
}

/** The snapshot that has a content under the name of the backup's archive. */
async function store(at: Repository, content: Buffer, name = backup): Promise<string> {
  const said = await restic(
    at,
    ['--json', 'backup', '--stdin', '--stdin-filename', `/${name.replace(/\.zst$/, '')}`, '--host', 'gatehouse'],
    content,
  )
  return String(JSON.parse(said.trimEnd().split('\n').at(-1) ?? '{}').snapshot_id)
}

let asked = 0

/** The verdict, as jobs/prove.bash asks for it, and whatever the program said. */
async function prove(at: Repository, snapshot: string, sha256: string): Promise<string> {
  const server = path.join(root, `server-${++asked}`)
  for (const each of ['run/gatehouse-load', 'var/lib/gatehouse']) mkdirSync(path.join(server, each), { recursive: true })
  const result = path.join(server, 'proof')
  const request = { protocol: 1, job: 'prove-copy', name: 'one', domain, backup, snapshot, sha256, result, target: { ...at, limitKb: '' } }
  const program = spawn('/usr/bin/python3', ['-B', path.resolve('tests/host-program/back_up.py'), server], {
    env: { ...process.env, PATH: `${programs}:${process.env.PATH}` },
  })
  const printed = await ended(program, JSON.stringify(request))
  for (const secret of [at.keySecret, at.password]) expect(printed).not.toContain(secret)
  try {
    return readFileSync(result, 'utf8').trim()
  } catch {
    return printed
  }
}

type Objects = ReadonlyMap<string, Buffer>
type Alter = (objects: Map<string, Buffer>, names: (kind: string) => string[]) => void

/** What is there, and what was noted of it when it was sent. */
type Copy = { snapshot: string; sha256: string }
type Planted = { cause: string; copy?: Copy; at?: Partial<Repository>; alter?: Alter; rules?: Partial<BucketServer['rules']> }

const hashOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex')

/** The good copy, what else is in its repository, and the objects of it all, without their folder. */
async function furnish(bucket: BucketServer) {
  const { endpoint, fields } = bucket
  const [keyId = '', keySecret = ''] = [fields.serverKeyId, fields.serverKeySecret]
  const at = { endpoint, region: 'eu-test-1', bucket: 'copies', folder: 'whole', keyId, keySecret, password: 'p'.repeat(43) }
  expect(await restic(at, ['init', '--repository-version', '2'])).toBe('')
  for (const [name, kept] of [...bucket.stored].filter(([each]) => each.includes('/keys/'))) {
    const key = cheapen([...kept.values()].at(-1) ?? Buffer.alloc(0), at.password)
    bucket.stored.delete(name)
    bucket.stored.set(`whole/keys/${hashOf(key)}`, new Map([['', key]]))
  }
  const good = archive()
  const keep = async (content: Buffer, sha256 = hashOf(content)): Promise<Copy> => ({ snapshot: await store(at, content), sha256 })
  const copies = {
    good: await keep(good),
    older: await keep(archive({ page: 'an older page' }), hashOf(good)),
    ofOther: await keep(archive({ site: 'two.test' }), hashOf(good)),
    ofOtherUnknown: await keep(archive({ site: 'two.test' }), ''),
    changed: await keep(Buffer.from(good.toString('latin1').replace('a page', 'A PAGE'), 'latin1'), hashOf(good)),
    cut: await keep(good.subarray(0, good.length >> 1), hashOf(good)),
    cutUnknown: await keep(good.subarray(0, 200_000), ''),
    empty: await keep(Buffer.from(' '), hashOf(good)),
    badDump: await keep(archive({ database: dump.replace('INSERT', 'UNKNOWN') })),
    cutDump: await keep(archive({ database: 'CREATE TABLE `words` (\n);\n' })),
    otherTables: await keep(archive({ database: dump.replaceAll('words', 'gone') })),
    noDump: await keep(archive({ database: null })),
    foreignFiles: await keep(archive({ owner: 4321 })),
    foreignUnknown: await keep(archive({ owner: 4321 }), ''),
    filled: await keep(archive({ database: dump.replace('INSERT', 'FILLED') })),
  }
  const whole = new Map(
    [...bucket.stored].map(([name, kept]) => [name.replace('whole/', ''), [...kept.values()].at(-1) ?? Buffer.alloc(0)]),
  )
  return { at, copies, whole }
}

const flipped = (body: Buffer): Buffer => {
  const other = Buffer.from(body)
  const place = chance.below(other.length)
  other[place] = (other[place] ?? 0) ^ (1 << chance.below(8))
  return other
}

type Furnished = Awaited<ReturnType<typeof furnish>>

function plantings({ copies, whole }: Furnished): Planted[] {
  const named = (kind: string) => [...whole.keys()].filter((name) => name.startsWith(`${kind}/`))
  const own = `snapshots/${named('snapshots')
    .map((name) => name.slice('snapshots/'.length))
    .find((id) => id.startsWith(copies.good.snapshot))}`
  // What the good copy was made of came first, so it is in the packs that were there after it.
  const times = (count: number, planted: Planted): Planted[] => Array.from({ length: count }, () => planted)
  const onAll =
    (kind: string, change: (body: Buffer) => Buffer): Alter =>
    (objects) => {
      for (const name of named(kind)) objects.set(name, change(objects.get(name) ?? Buffer.alloc(0)))
    }
  const without =
    (...kinds: string[]): Alter =>
    (objects) => {
      for (const name of kinds.flatMap(named)) objects.delete(name)
    }
  const revoked = { rights: { server: [], maintenance: [] } }
  return [
    ...times(23, { cause: 'damaged', alter: onAll('data', flipped) }),
    ...times(6, { cause: 'damaged', alter: onAll('index', flipped) }),
    ...times(6, { cause: 'damaged', alter: (objects) => void objects.set(own, flipped(objects.get(own) ?? Buffer.alloc(0))) }),
    ...times(8, { cause: 'damaged', alter: onAll('data', (body) => body.subarray(0, chance.below(body.length))) }),
    ...times(4, {
      cause: 'damaged',
      alter: (objects) => void objects.set(own, whole.get(named('snapshots').find((name) => name !== own) ?? '') ?? Buffer.alloc(0)),
    }),
    ...times(6, { cause: 'missing', alter: without('data') }),
    ...times(4, { cause: 'missing', alter: without('index') }),
    ...times(4, { cause: 'missing', alter: without('snapshots') }),
    ...times(2, { cause: 'password', alter: without('config', 'snapshots', 'data', 'index', 'keys') }),
    ...times(4, { cause: 'other-content', copy: copies.older }),
    ...times(4, { cause: 'other-content', copy: copies.ofOther }),
    ...times(2, { cause: 'other-content', copy: copies.ofOtherUnknown }),
    ...times(4, { cause: 'other-content', copy: copies.changed }),
    ...times(3, { cause: 'truncated', copy: copies.cut }),
    ...times(1, { cause: 'truncated', copy: copies.cutUnknown }),
    ...times(1, { cause: 'truncated', copy: copies.empty }),
    ...times(2, { cause: 'dump', copy: copies.badDump }),
    ...times(2, { cause: 'dump', copy: copies.cutDump }),
    ...times(1, { cause: 'dump', copy: copies.otherTables }),
    ...times(2, { cause: 'differs', copy: copies.noDump }),
    ...times(1, { cause: 'differs', copy: copies.foreignFiles }),
    ...times(1, { cause: 'differs', copy: copies.foreignUnknown }),
    ...times(1, { cause: 'disk-full', copy: copies.filled }),
    ...times(2, { cause: 'password', at: { password: 'x'.repeat(43) } }),
    ...times(1, { cause: 'denied', at: { keyId: 'REVOKED' } }),
    ...times(1, { cause: 'denied', at: { keySecret: 'not-the-secret' } }),
    ...times(1, { cause: 'missing', at: { bucket: 'gone' } }),
    ...times(1, { cause: 'denied', rules: revoked as unknown as Partial<BucketServer['rules']> }),
    ...times(1, { cause: 'denied', rules: { faults: { GET: { status: 403, code: 'InvalidAccessKeyId' } } } }),
    ...times(1, { cause: 'full', rules: { faults: { GET: { status: 507, code: 'QuotaExceeded' } } } }),
  ]
}

/** The verdict on a separate repository, with the fault in it. */
async function plant(furnished: Furnished, bucket: BucketServer, index: number, { copy, at, alter }: Planted): Promise<string> {
  const objects = new Map<string, Buffer>(furnished.whole as Objects)
  alter?.(objects, () => [])
  const folder = `planted/${index}`
  for (const [name, body] of objects) bucket.stored.set(`${folder}/${name}`, new Map([['', body]]))
  const { snapshot, sha256 } = copy ?? furnished.copies.good
  const verdict = await prove({ ...furnished.at, endpoint: bucket.endpoint, folder, ...at }, snapshot, sha256)
  for (const name of objects.keys()) bucket.stored.delete(`${folder}/${name}`)
  return verdict
}

test(`of a hundred faults that are planted in copies each is found with its cause, and an unchanged copy is good, SEED=${chance.seed}`, {
  timeout: 600_000,
}, async () => {
  await using bucket = await startBucketServer()
  const furnished = await furnish(bucket)
  const planted = plantings(furnished)
  expect(planted).toHaveLength(100)
  expect(await plant(furnished, bucket, -1, { cause: 'good' })).toBe('good')
  const verdicts = new Array<string>(planted.length)
  const work = [...planted.entries()]
  const worker = async () => {
    for (let next = work.shift(); next; next = work.shift()) {
      const [index, fault] = next
      await using own = await startBucketServer()
      Object.assign(own.rules, fault.rules)
      verdicts[index] = await plant(furnished, fault.rules ? own : bucket, index, fault)
    }
  }
  await Promise.all([worker(), worker(), worker()])
  expect(planted.map((fault, index) => ({ ...fault, verdict: verdicts[index] })).filter(({ cause, verdict }) => cause !== verdict)).toEqual(
    [],
  )
})
