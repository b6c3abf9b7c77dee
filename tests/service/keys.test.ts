/** API keys by command: printed once, stored as a hash, revoked permanently. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { get } from './support/caller'
import { makePlace, runKeys, startService } from './support/process'

/** The command as in docs/running.md. */
const documented = /`npm (run .*service:keys -- create) \[/.exec(readFileSync('docs/running.md', 'utf8'))?.[1]?.split(' ') ?? []

test('create prints only the API key, and the database has only its hash', async () => {
  using place = await makePlace()
  const { stdout, stderr } = await promisify(execFile)('npm', [...documented, '--account', 'somebody'], { env: place.env })
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^gh_[A-Za-z0-9_-]{43}\n$/)
  const key = stdout.trim()
  const folder = join(place.dir, 'data', 'service')
  const bytes = Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))))
  expect(bytes.includes(key)).toBe(false)
  expect(bytes.includes(key.slice(3, 20))).toBe(false)
  expect(bytes.includes(createHash('sha256').update(key).digest('hex'))).toBe(true)
})

test('list shows accounts and use, never a key; the running service refuses a revoked key immediately', async () => {
  using place = await makePlace()
  const key = (await runKeys(place, 'create', '--account', 'first')).stdout.trim()
  const other = (await runKeys(place, 'create')).stdout.trim()
  await using service = await startService(place)
  expect((await get({ ...service, key }, '/servers/')).status).toBe(200)
  const { stdout } = await runKeys(place, 'list')
  const listed: { account: string; revokedAt: string | null }[] = JSON.parse((await runKeys(place, 'list', '--json')).stdout)
  expect(listed.map(({ account, revokedAt }) => [account, revokedAt])).toEqual([
    ['first', null],
    ['default', null],
  ])
  const [line = '', second = '', ...more] = stdout.trim().split('\n')
  expect(more).toEqual([])
  expect(line).toMatch(/^\S+ {2}first {2}created \d{4}-.* last used \d{4}-/)
  expect(second).toMatch(/ {2}default {2}created .* last used never$/)
  expect(stdout).not.toContain(key.slice(3, 12))
  const [id = ''] = line.split(' ')
  expect(await runKeys(place, 'revoke', id)).toMatchObject({ code: 0, stderr: '' })
  expect((await get({ ...service, key }, '/servers/')).status).toBe(401)
  expect((await get({ ...service, key: other }, '/servers/')).status).toBe(200)
  expect((await runKeys(place, 'list')).stdout).toMatch(/first .* revoked \d{4}-/)
}, 120_000)

test('an invalid command prints the usage and fails', async () => {
  using place = await makePlace()
  for (const args of [[], ['toString'], ['create', '--acount', 'x'], ['create', '--json'], ['revoke', 'nobody', '--json']]) {
    expect(await runKeys(place, ...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('Usage: gatehouse keys') })
  }
  expect(await runKeys(place, 'revoke', 'nobody')).toMatchObject({ code: 1, stdout: '', stderr: 'There is no key with that id.\n' })
}, 60_000)
