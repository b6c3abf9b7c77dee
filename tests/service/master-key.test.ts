/** `gatehouse keys --service verify`, `rotate` and `retire` as processes of their own, beside a service that runs on. */
import { spawn } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ensureAccount } from '@/lib/service/store/accounts'
import { openStore } from '@/lib/service/store/db'
import { openRing } from '@/lib/service/store/ring'
import { templateOf } from '../support/database-templates'
import { runSql } from '../support/sqlite-file'
import { register } from './conformance/servers'
import { get } from './support/caller'
import { makePlace, type Place, run, runKeys, startService } from './support/process'
import { addServer } from './support/sealed-rows'

const databaseOf = ({ dir }: Place) => join(dir, 'data', 'service', 'service.db')
const oldFileOf = ({ keyFile }: Place) => join(dirname(keyFile), 'kek.old.key')
const passTenMinutes = (place: Place) =>
  runSql(databaseOf(place), "UPDATE KeyCanary SET createdAt = '2026-01-01T00:00:00.000+00:00' WHERE state = 'active'")

/** The database and key file of a service, with servers whose private keys nothing logs in with. */
async function furnish(place: Place, servers: number): Promise<void> {
  const file = databaseOf(place)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  copyFileSync(await templateOf('service'), file)
  const db = openStore(file)
  const store = { db, ring: await openRing(db, place.keyFile) }
  const { id: accountId } = await ensureAccount(db, 'default')
  for (let index = 0; index < servers; index += 1) await addServer(store, accountId, `server${index}`)
  await db.$disconnect()
}

test('security 7: gatehouse keys --service rotates the key beside a running service; once retired, the old file may be removed', async () => {
  using place = await makePlace()
  await furnish(place, 1)
  const key = (await runKeys(place, 'create')).stdout.trim()
  await using service = await startService(place)
  const caller = { ...service, key }
  await register(caller, { provider: 'sandbox', host: 'rotated.test', port: '22', user: 'root', pass: 'let me in' }, 'rotated')
  const first = readFileSync(place.keyFile, 'utf8')
  const before = await runKeys(place, 'verify')
  expect(before).toEqual({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^1 sealed value opens, all under the key [0-9a-f]{16}\.\n$/),
  })
  expect(await runKeys(place, 'retire')).toEqual({ code: 0, stdout: 'There is no old key to retire.\n', stderr: '' })

  const rotated = await runKeys(place, 'rotate')
  expect(rotated).toMatchObject({ code: 0, stderr: '' })
  expect(rotated.stdout).toMatch(
    /^1 sealed value opens, all under the key [0-9a-f]{16}\.\nThe previous key .* gatehouse keys --service retire\n$/,
  )
  expect(rotated.stdout.split('\n')[0]).not.toBe(before.stdout.trim())
  expect(readFileSync(oldFileOf(place), 'utf8')).toBe(first)
  for (const file of [place.keyFile, oldFileOf(place)]) expect(rotated.stdout).not.toContain(readFileSync(file, 'utf8').trim())
  expect((await get(caller, '/servers/')).status).toBe(200)

  expect(await runKeys(place, 'retire')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('less than ten minutes ago'),
  })
  passTenMinutes(place)
  expect(await runKeys(place, 'retire')).toMatchObject({ code: 0, stdout: expect.stringContaining(`Move ${oldFileOf(place)} away`) })
  rmSync(oldFileOf(place))
  expect(await service.stop('SIGTERM')).toBe(0)
  await using again = await startService(place)
  expect((await get({ ...again, key }, '/servers/')).status).toBe(200)
  expect(await runKeys(place, 'verify')).toMatchObject({ code: 0, stdout: rotated.stdout.split('\n', 1)[0]?.concat('\n') })
})

const isRotated = (place: Place) => runSql(databaseOf(place), "SELECT kekId FROM KeyCanary WHERE state = 'decryptOnly'").length > 0

test.each([
  ['the new key file is in place', (place: Place) => existsSync(oldFileOf(place))],
  ['the new key is in use', isRotated],
])(
  'security 7: a rotation that is killed once %s is finished by the next one, and the service starts in between',
  async (_, reached) => {
    using place = await makePlace()
    await furnish(place, 40)
    const child = spawn(process.execPath, ['--import', 'tsx', 'lib/service/keys.ts', 'rotate'], { env: place.env, stdio: 'ignore' })
    const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)))
    while (!reached(place)) await new Promise((resolve) => setTimeout(resolve, 1))
    child.kill('SIGKILL')
    expect(await ended).toBe('SIGKILL')
    await (await startService(place)).stop('SIGTERM')
    expect((await runKeys(place, 'verify')).code).toBe(0)
    expect(await runKeys(place, 'rotate')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^40 sealed values open, all under the key/),
    })
  },
  300_000,
)

test('a value that cannot be decrypted is named, the command ends with 1, and no key is retired', async () => {
  using place = await makePlace()
  await furnish(place, 2)
  expect((await runKeys(place, 'rotate')).code).toBe(0)
  passTenMinutes(place)
  runSql(databaseOf(place), "UPDATE Machine SET sealedKey = (SELECT sealedKey FROM Machine WHERE id = 'server0') WHERE id = 'server1'")
  const broken = /^The SSH key of server server1 cannot be decrypted: it is under the key [0-9a-f]{16}, or was changed\.\n/
  for (const name of ['verify', 'rotate', 'retire']) {
    expect(await runKeys(place, name)).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(broken) })
  }
  expect(isRotated(place)).toBe(true)
})

test('a database of an older version is verified on a copy and otherwise left alone', async () => {
  using place = await makePlace()
  const file = databaseOf(place)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, gunzipSync(readFileSync('tests/fixtures/before-driver-change/service.db.gz')), { mode: 0o600 })
  mkdirSync(dirname(place.keyFile), { recursive: true, mode: 0o700 })
  runSql(file, 'DELETE FROM KeyCanary')
  const before = readFileSync(file)
  expect(await runKeys(place, 'verify')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^0 sealed values open/) })
  for (const name of ['rotate', 'retire']) {
    expect(await runKeys(place, name)).toMatchObject({ code: 1, stderr: expect.stringContaining('an older version of Gatehouse') })
  }
  expect(readFileSync(file).equals(before)).toBe(true)
  expect(readdirSync(dirname(file)).filter((name) => name.startsWith('verify-'))).toEqual([])
})

test('what the administrator has to mend is named in one line', async () => {
  using place = await makePlace()
  for (const args of [
    ['rotate', 'now'],
    ['verify', '--json'],
    ['retire', '--account', 'x'],
  ]) {
    expect(await runKeys(place, ...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--service rotate') })
  }
  for (const name of ['verify', 'rotate', 'retire']) {
    expect(await runKeys(place, name)).toMatchObject({ code: 1, stderr: expect.stringMatching(/^There is no database at [^\n]+\n$/) })
  }
  expect(existsSync(databaseOf(place))).toBe(false)
  await furnish(place, 0)
  chmodSync(place.keyFile, 0o644)
  expect(await runKeys(place, 'rotate')).toMatchObject({ code: 78, stderr: expect.stringMatching(/accessible to other users[^\n]+\n$/) })
})

test('a backup from before a rotation is restored with its own key, and names the key that it needs', async () => {
  using place = await makePlace()
  await furnish(place, 1)
  const before = (await runKeys(place, 'verify')).stdout
  const copy = join(place.dir, 'copy')
  expect(await run(place, 'lib/backup/command.ts', 'backup', copy)).toMatchObject({
    code: 0,
    stdout: expect.not.stringContaining('not included'),
  })
  const { masterKeys } = JSON.parse(readFileSync(join(copy, 'manifest.json'), 'utf8'))
  expect(before).toContain(masterKeys['service.db'][0])
  expect((await runKeys(place, 'rotate')).code).toBe(0)
  passTenMinutes(place)
  expect((await runKeys(place, 'retire')).code).toBe(0)

  using elsewhere = await makePlace()
  expect((await run(elsewhere, 'lib/backup/command.ts', 'restore', copy)).code).toBe(0)
  expect((await runKeys(elsewhere, 'verify')).stdout).toBe(before)

  // Without the backup's own keys: the file that the rotation kept, moved away since, is put in their place.
  using found = await makePlace()
  expect((await run(found, 'lib/backup/command.ts', 'restore', copy)).code).toBe(0)
  rmSync(found.keyFile)
  copyFileSync(place.keyFile, found.keyFile)
  const needed = `which needs the key ${masterKeys['service.db'][0]}. Restore the right key file.`
  expect(await runKeys(found, 'verify')).toMatchObject({ code: 78, stderr: expect.stringContaining(needed) })
  rmSync(found.keyFile)
  copyFileSync(oldFileOf(place), found.keyFile)
  expect((await runKeys(found, 'verify')).stdout).toBe(before)
})
