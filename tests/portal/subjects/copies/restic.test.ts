/** A copy by Debian's restic, as the host program makes it on a server, and its restore by the commands of the recovery kit alone. */
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { addBackupTarget, replaceBackupTargetKeys } from '@/lib/portal/subjects/backup-targets/change'
import { confirmKit, downloadKit } from '@/lib/portal/subjects/backup-targets/change-kit'
import { listCopiesOfSite } from '@/lib/portal/subjects/backup-targets/copies'
import { concludeCopy, noteCopyBegun, readCopyFields } from '@/lib/portal/subjects/backup-targets/copy-job'
import { listBackupTargets } from '@/lib/portal/subjects/backup-targets/list'
import { ensureRepository, openCopyFields } from '@/lib/portal/subjects/backup-targets/repository'
import { readCopied } from '@/lib/service/machines/copied-backup'
import { withSentence } from '@/lib/service/machines/debian/host/sentences'
import type { Job } from '@/prisma/generated/portal/client'
import { startBucketServer } from '@/tests/support/bucket-server'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'

const run = promisify(execFile)
const whole = mkdtempSync(path.join(tmpdir(), 'gatehouse-copies-'))
afterAll(() => rmSync(whole, { recursive: true, force: true }))

const folder = (): string => mkdtempSync(path.join(whole, 'server-'))

const domain = 'one.test'
const site = { id: 'site-of-the-test-00000', domain, serverId: 'server-of-the-test-000' }
const server = { id: 'server-of-the-test-000', name: 'web-1' }

/** A server in a folder, with one verified backup; each has another name. */
async function backUp(root: string, at: string, database: string): Promise<string> {
  const backups = path.join(root, 'var/backups/gatehouse-sites')
  const parts = path.join(root, 'parts')
  mkdirSync(path.join(parts, 'files/public'), { recursive: true })
  mkdirSync(backups, { recursive: true })
  writeFileSync(path.join(parts, 'files/public/index.html'), 'Hello')
  // Nothing in it is like anything else in it, so that only what is there already can be left out.
  const pieces = Array.from({ length: 1_200_000 }, (_, index) => createHash('sha1').update(String(index)).digest())
  writeFileSync(path.join(parts, 'files/public/image'), Buffer.concat(pieces))
  writeFileSync(path.join(parts, 'database.sql'), database)
  const name = `${domain}-${at}-nightly.tar.zst`
  const archive = path.join(backups, name)
  await run('bash', ['-c', 'tar --sort=name -C "$1" -cf - files database.sql | zstd -q -o "$2"', 'bash', parts, archive])
  const note = path.join(backups, `.${name}.proven`)
  writeFileSync(note, `${createHash('sha256').update(readFileSync(archive)).digest('hex')}  ${name}\n`)
  utimesSync(archive, 1_000_000_000, 1_000_000_000)
  utimesSync(note, 1_000_000_000, 1_000_000_000)
  return name
}

/** Limits need a systemd that is not there in tests: without its options it only runs the rest. */
const programs = path.join(whole, 'programs')
mkdirSync(programs)
writeFileSync(
  path.join(programs, 'systemd-run'),
  '#!/bin/bash\nwhile [[ $1 == -* ]]; do if [[ $1 == -p ]]; then shift; fi; shift; done\nexec "$@"\n',
)
chmodSync(path.join(programs, 'systemd-run'), 0o755)

type Ran = { code: number | null; printed: string; sentences: string[]; result: string }

/** As jobs/copy.bash asks for it. */
async function copy(root: string, fields: Readonly<Record<string, string>>): Promise<Ran> {
  const { key_id: keyId, key_secret: keySecret, ...rest } = fields
  const result = path.join(root, `result-${createOpaqueId()}`)
  const request = { protocol: 1, job: 'copy-site', domain, result, target: { ...rest, keyId, keySecret, limitKb: '' } }
  const program = spawn('/usr/bin/python3', ['-B', path.resolve('tests/host-program/back_up.py'), root], {
    env: { ...process.env, PATH: `${programs}:${process.env.PATH}` },
  })
  program.stdin.end(JSON.stringify(request))
  let printed = ''
  for (const stream of [program.stdout, program.stderr])
    stream.on('data', (text: Buffer) => {
      printed += text.toString()
    })
  const code = await new Promise<number | null>((resolve) => {
    program.once('close', resolve)
  })
  const sentences = printed.trimEnd().split('\n').map(withSentence)
  return { code, printed, sentences, result: code === 0 ? readFileSync(result, 'utf8') : '' }
}

async function scene(bucket: Awaited<ReturnType<typeof startBucketServer>>) {
  const owner = await (await createTeam()).join('owner')
  expect(await addBackupTarget(inputOf(owner, bucket.fields))).toMatchObject({ ok: true })
  const target = await db().backupTarget.findFirstOrThrow()
  const repository = await ensureRepository(target, server)
  const fields = await openCopyFields(target, repository)
  if (!fields) throw new Error('The target cannot be opened.')
  return { owner, target, repository, fields }
}

const endedJob = (id: string) => ({ row: { id } as Job, connection: null })

test('a backup is copied, and comes back by the commands of the recovery kit; the copy is safe once the kit is confirmed', async () => {
  await using _ = await openPortalDatabase()
  await using bucket = await startBucketServer()
  const { owner, target, repository, fields } = await scene(bucket)
  const root = folder()
  const name = await backUp(root, '20261128-021400', 'CREATE TABLE t (a int);\n')
  const jobId = createOpaqueId()
  await noteCopyBegun({ jobId, repository, subject: site })
  expect(await readCopyFields(jobId)).toEqual({ ...fields, limit: '' })
  const ran = await copy(root, fields)
  expect(ran).toMatchObject({ code: 0 })
  expect(ran.sentences.join('\n')).toMatch(/Copying the backup one\.test[\s\S]*repository was created[\s\S]*Copied as snapshot [0-9a-f]{8}/)
  for (const secret of [fields.key_secret, fields.password]) expect(ran.printed + ran.result).not.toContain(secret)
  await concludeCopy(endedJob(jobId), { state: 'done', problem: null, answer: readCopied(ran.result) })

  const [listed] = await listCopiesOfSite(owner, site)
  expect(listed).toMatchObject({ lastGood: { backup: name, state: 'done' }, isSafe: false })
  const kit = await downloadKit(inputOf(owner, { targetId: target.id }))
  if (!kit.ok) throw new Error(kit.problem.sentence)
  expect(kit.data.text).not.toContain('maintenance')
  expect(kit.data.text).not.toContain('MAINTENANCEKEY')
  const commands = kit.data.text.split('\n').filter((line) => line.startsWith('    ') && !line.includes('apt-get'))
  const there = path.join(root, 'restored')
  mkdirSync(there)
  await run('bash', ['-euc', commands.join('\n')], { cwd: there, env: { ...process.env, HOME: there } })
  expect(readFileSync(path.join(there, domain, 'files/public/index.html'), 'utf8')).toBe('Hello')
  expect(readFileSync(path.join(there, domain, 'database.sql'), 'utf8')).toBe('CREATE TABLE t (a int);\n')

  expect(await confirmKit(inputOf(owner, { targetId: target.id, code: '0000-0000' }))).toMatchObject({ ok: false })
  const [, code = ''] = /confirmation code (\S+)/.exec(kit.data.text) ?? []
  expect(await confirmKit(inputOf(owner, { targetId: target.id, code }))).toMatchObject({ ok: true })
  expect(await listCopiesOfSite(owner, site)).toMatchObject([{ isSafe: true }])
  expect(await listBackupTargets(owner)).toMatchObject([{ holding: { copies: 1, sites: 1, servers: 1, ownServers: 0, unconfirmed: 0 } }])
  // Other keys make another kit.
  expect(await replaceBackupTargetKeys(inputOf(owner, { ...bucket.fields, targetId: target.id }))).toMatchObject({ ok: true })
  expect(await listCopiesOfSite(owner, site)).toMatchObject([{ isSafe: false }])
  expect(await confirmKit(inputOf(owner, { targetId: target.id, code }))).toMatchObject({ ok: false })
})

test('the next copy sends what has changed', async () => {
  await using _ = await openPortalDatabase()
  await using bucket = await startBucketServer()
  const { fields } = await scene(bucket)
  const root = folder()
  await backUp(root, '20261128-021400', 'one\n')
  const first = readCopied((await copy(root, fields)).result)
  const second = await backUp(root, '20261129-021400', 'two\n')
  const next = readCopied((await copy(root, fields)).result)
  expect(next).toMatchObject({ backup: second })
  // The first and the last piece differ, of at most 8 MB each.
  expect(first?.bytes).toBeGreaterThan(24_000_000)
  expect(next?.added).toBeLessThan(17_000_000)
})

test.each([
  ['a wrong key', (fields) => ({ ...fields, key_secret: 'not-the-secret' }), () => {}, 'refuses the server key'],
  ['a bucket that is gone', (fields) => ({ ...fields, bucket: 'other' }), () => {}, 'no longer exists'],
  [
    'a key that may not write',
    (fields) => fields,
    (rules) => {
      rules.rights.server = ['read', 'list']
    },
    'refuses the server key',
  ],
  ['a target that is away', (fields) => ({ ...fields, endpoint: 'http://127.0.0.1:9' }), () => {}, 'can’t reach'],
] satisfies [
  string,
  (fields: Record<string, string>) => Record<string, string>,
  (rules: Awaited<ReturnType<typeof startBucketServer>>['rules']) => void,
  string,
][])('%s has its own sentence, and nothing is left on the server', { timeout: 400_000 }, async (_, change, break_, sentence) => {
  await using __ = await openPortalDatabase()
  await using bucket = await startBucketServer()
  const { fields } = await scene(bucket)
  const root = folder()
  await backUp(root, '20261128-021400', 'one\n')
  break_(bucket.rules)
  const { code, sentences, printed } = await copy(root, change(fields))
  expect({ code, last: sentences.at(-1) }).toEqual({ code: 1, last: expect.stringContaining(sentence) })
  expect(printed).not.toContain(fields.password)
})

test('the password of another repository is refused', async () => {
  await using _ = await openPortalDatabase()
  await using bucket = await startBucketServer()
  const { fields } = await scene(bucket)
  const root = folder()
  await backUp(root, '20261128-021400', 'one\n')
  expect(await copy(root, fields)).toMatchObject({ code: 0 })
  const { sentences } = await copy(root, { ...fields, password: 'x'.repeat(43) })
  expect(sentences.at(-1)).toContain('password of the repository is wrong')
})

test('only a verified backup that is unchanged is copied; of another one no snapshot is made', async () => {
  await using _ = await openPortalDatabase()
  await using bucket = await startBucketServer()
  const { fields } = await scene(bucket)
  const root = folder()
  expect((await copy(root, fields)).sentences.at(-1)).toContain('no backup yet')
  const name = await backUp(root, '20261128-021400', 'one\n')
  const archive = path.join(root, 'var/backups/gatehouse-sites', name)
  const { mtime } = statSync(archive)
  const bytes = readFileSync(archive)
  bytes[bytes.length - 5] = (bytes[bytes.length - 5] ?? 0) ^ 1
  writeFileSync(archive, bytes)
  expect((await copy(root, fields)).sentences.at(-1)).toContain('is verified')
  // By somebody who sets its time back.
  utimesSync(archive, mtime, mtime)
  expect(await copy(root, fields)).toMatchObject({ code: expect.not.stringMatching('0') })
  expect(bucket.objects().filter((each) => each.includes('/snapshots/'))).toEqual([])
})
