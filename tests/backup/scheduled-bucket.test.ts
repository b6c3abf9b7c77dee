/** Scheduled backups in an S3-compatible bucket, beside the copies of sites: stored whole, found and fetched with curl alone. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { restore } from '@/lib/backup/restore'
import { stagingFolder } from '@/lib/backup/scheduled/make'
import { storeInBucket } from '@/lib/backup/scheduled/store-in-bucket'
import { parseSettings } from '@/lib/settings/settings'
import { type BucketServer, startBucketServer } from '../support/bucket-server'
import { commandsOf } from '../support/documented-commands'
import { runSql } from '../support/sqlite-file'
import { canary, makeScene, reasonOf, type Scene } from './scheduled-scene'

function sceneWith({ fields, endpoint }: Pick<BucketServer, 'fields' | 'endpoint'>, more: Record<string, string> = {}): Scene {
  const settings = {
    BACKUP_BUCKET: `${endpoint}/${fields.bucket}/${fields.folder}`,
    BACKUP_BUCKET_REGION: fields.region ?? '',
    BACKUP_BUCKET_KEY_ID: fields.serverKeyId ?? '',
    BACKUP_BUCKET_SECRET_FILE: '/nowhere/secret',
    ...more,
  }
  const scene = makeScene(settings)
  const { backup } = scene.settings
  if (!backup || !('bucket' in backup.target)) throw new Error('no bucket')
  backup.target.bucket.secretFile = join(scene.dir, 'secret')
  writeFileSync(backup.target.bucket.secretFile, `${fields.serverKeySecret}\n`)
  return scene
}

test.each([
  ['in a folder', 'fleet/a'],
  ['without a folder', ''],
])(
  'an archive lies in the bucket with the server key of a backup target, and the documented commands bring it back: %s',
  async (_, folder) => {
    await using bucket = await startBucketServer()
    bucket.fields.folder = folder
    const scene = sceneWith(bucket)
    const { name, bytes } = await scene.make()
    const inFolder = (each: string): string => (folder === '' ? each : `${folder}/${each}`)
    expect(bucket.objects().map((object) => object.split(' ')[0])).toEqual([inFolder(name)])
    expect(bucket.received()).toBe(bytes)
    expect(existsSync(stagingFolder(scene.settings, 'portal'))).toBe(false)
    // A bucket lists the first thousand by name, which are the oldest.
    const older = Array.from({ length: 1000 }, (_each, year) => name.replace(/\d{4}/, `${1000 + year}`))
    expect(new Set(older).size).toBe(1000)
    for (const each of older) bucket.stored.set(inFolder(each), new Map([['', Buffer.alloc(1)]]))

    const { fields, endpoint } = bucket
    const there = join(scene.dir, 'there')
    mkdirSync(there)
    const known = `endpoint=${endpoint} region=${fields.region} bucket=${fields.bucket} folder=${fields.folder}
    key_id=${fields.serverKeyId} key_secret=${fields.serverKeySecret} identity=${scene.identity} archive=${name}`
    const run = async (part: string): Promise<string> => {
      const commands = `${known}\n${commandsOf('docs/when-everything-is-gone.md', part)}`
      return (await promisify(execFile)('bash', ['-euc', commands], { cwd: there })).stdout
    }
    const listing = (await run('list-archives')).trimEnd().split('\n')
    expect([listing.length, listing.at(-1)]).toEqual([1001, inFolder(name)])
    await run('fetch-archive')
    const restored = parseSettings({}, join(scene.dir, 'restored'))
    await restore(restored, { databases: join(there, 'restored/databases'), keys: join(there, 'restored/keys') })
    expect(runSql(restored.portalDatabase, 'SELECT n FROM t')).toEqual([{ n: canary }])
  },
)

test('what the bucket refuses, a full one, one that is away and a missing secret are failed backups with the reason', async () => {
  const bucket = await startBucketServer()
  const scene = sceneWith(bucket)
  bucket.rules.faults.PUT = { status: 507, code: 'InsufficientStorage' }
  expect(await reasonOf(scene.make())).toBe('bucket_full')
  bucket.rules.faults.PUT = { status: 503, code: 'SlowDown' }
  expect(await reasonOf(scene.make())).toBe('bucket_away')
  bucket.rules.faults = {}
  expect(await reasonOf(sceneWith(bucket, { BACKUP_BUCKET_REGION: 'elsewhere-1' }).make())).toBe('bucket_refused')
  expect(await reasonOf(sceneWith({ ...bucket, fields: { ...bucket.fields, serverKeySecret: 'another secret' } }).make())).toBe(
    'bucket_refused',
  )
  bucket.rules.rights.server = ['read', 'list']
  await expect(scene.make()).rejects.toThrow('The bucket answered 403 AccessDenied.')
  await bucket[Symbol.asyncDispose]()
  expect(await reasonOf(scene.make())).toBe('bucket_away')
  expect(existsSync(stagingFolder(scene.settings, 'portal'))).toBe(false)
  writeFileSync(join(scene.dir, 'secret'), '')
  expect(bucket.objects()).toEqual([])
})

test('a bucket that never answers ends with the time that the backup may take', async () => {
  await using bucket = await startBucketServer()
  const scene = sceneWith(bucket)
  bucket.rules.hangs = true
  const { backup } = scene.settings
  if (!backup) throw new Error('no backups')
  expect(await reasonOf(scene.make(undefined, 4000))).toBe('too_long')
})

test('a bucket that says it has stored an archive before it took all of it has not', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n', () => socket.destroy()))
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const scene = makeScene()
  const bucket = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ bucket: 'backups', folder: '', region: 'us-east-1', keyId: 'KEY', secretFile: join(scene.dir, 'secret') },
  }
  writeFileSync(bucket.secretFile, 'a secret')
  const archive = { name: 'archive', file: join(scene.dir, 'archive'), bytes: 50_000_000, stop: AbortSignal.timeout(60_000) }
  writeFileSync(archive.file, Buffer.alloc(archive.bytes))
  expect(await reasonOf(storeInBucket(bucket, archive))).toBe('bucket_away')
})
