/** The service as a process: started, refused, killed, started again. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createKeyFile } from '@/lib/sealing/key-file'
import { register } from './conformance/servers'
import { get, readInstall } from './support/caller'
import { makePlace, run, runKeys, startService } from './support/process'
import { listSites, streamCreation, streamDeletion } from './support/slow-work'

const sandbox = { provider: 'sandbox', host: 'process.test', port: '22', user: 'root', pass: 'open' }
const oneLine = /^[A-Z][^\n]+\.\n$/

test('a service killed during an install continues to read the same run after its restart', async () => {
  using place = await makePlace()
  const key = (await runKeys(place, 'create')).stdout.trim()
  const first = await startService(place)
  const { id } = await register({ ...first, key }, sandbox, 'killed')
  const seen = (await readInstall({ ...first, key }, id, { until: 6 })).events
  await first.stop('SIGKILL')
  await using second = await startService(place)
  const target = { ...second, key }
  const rest = (await readInstall(target, id, { lastEventId: seen.length })).events
  expect([...seen, ...rest].map((event) => event.id)).toEqual([...seen, ...rest].map((_, index) => index + 1))
  expect(rest.at(-1)).toMatchObject({ status: 'done', progress: 100 })
  expect((await readInstall(target, id, { lastEventId: 0 })).events).toEqual([...seen, ...rest])
  expect((await get(target, `/servers/${id}/summary`)).body.item).toMatchObject([{ webserver: 'apache', state: 'ready' }])
}, 180_000)

test('a service killed while a site is created and while it is deleted ends both, once each', async () => {
  using place = await makePlace()
  const key = (await runKeys(place, 'create')).stdout.trim()
  const first = await startService(place)
  const { id: server } = await register({ ...first, key }, sandbox, 'killed')
  await readInstall({ ...first, key }, server)
  const site = { domain: 'example.org', server, password: 'let me in, please' }
  const seen = (await streamCreation({ ...first, key }, site, { until: 2 })).events
  await first.stop('SIGKILL')
  const second = await startService(place)
  const rest = (await streamCreation({ ...second, key }, site, { lastEventId: seen.at(-1)?.id ?? 0 })).events
  const created = [...seen, ...rest]
  expect(created.map((event) => event.id)).toEqual(created.map((_, index) => (seen[0]?.id ?? 0) + index))
  expect(created.filter(({ status }) => status !== 'running')).toHaveLength(1)
  const listed = await listSites({ ...second, key })
  expect(listed).toMatchObject([{ domain: 'example.org', state: 'ready' }])
  const { id = '' } = listed[0] ?? {}
  expect(created.at(-1)).toMatchObject({ status: 'done', result: { success: true, id } })
  const begun = (await streamDeletion({ ...second, key }, id, { until: 1 })).events
  expect(await listSites({ ...second, key })).toMatchObject([{ id, state: 'deleting' }])
  await second.stop('SIGKILL')
  await using third = await startService(place)
  const deleted = (await streamDeletion({ ...third, key }, id, { lastEventId: begun.at(-1)?.id ?? 0 })).events
  expect(deleted.at(-1)).toMatchObject({ status: 'done', result: { success: true, backup: expect.any(String) } })
  expect(await listSites({ ...third, key })).toEqual([])
}, 180_000)

test('a service stopped while a client reads an install shuts down cleanly, and the next start continues the install', async () => {
  using place = await makePlace()
  const key = (await runKeys(place, 'create')).stdout.trim()
  const service = await startService(place)
  const { id } = await register({ ...service, key }, sandbox, 'slow-ended')
  const started = await readInstall({ ...service, key }, id, { until: 1 })
  const reading = readInstall({ ...service, key }, id, { lastEventId: 0 }).catch(() => null)
  expect(started.status).toBe(200)
  expect(await service.stop('SIGTERM')).toBe(0)
  await reading
  await using again = await startService(place)
  expect((await get({ ...again, key }, '/servers/')).body.items).toMatchObject([{ state: 'installing' }])
}, 180_000)

test('its folders and files are accessible only to their owner', async () => {
  using place = await makePlace()
  await using _ = await startService(place)
  const modeOf = (...parts: string[]) => (statSync(join(place.dir, ...parts)).mode & 0o777).toString(8)
  expect(modeOf('data', 'service')).toBe('700')
  expect(modeOf('data', 'service', 'service.db')).toBe('600')
  expect(modeOf('keys', 'service')).toBe('700')
  expect(modeOf('keys', 'service', 'kek.key')).toBe('400')
})

test('the log has the applied migrations at a start, and the version once the service listens', async () => {
  using place = await makePlace()
  const child = spawn(process.execPath, ['--import', 'tsx', 'lib/service/main.ts'], {
    env: { ...place.env, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said: Record<string, unknown>[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(JSON.parse(line))
    if (said.at(-1)?.msg === 'the service listens') break
  }
  child.kill('SIGKILL')
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(said).toMatchObject([
    {
      level: 30,
      applied: [
        'first',
        'sites',
        'site_ssl',
        'staging',
        'removed_servers',
        'upgrades_at_night',
        'key_states',
        'own_backups',
        'site_list_facts',
        'site_app',
      ].map((name) => expect.stringMatching(new RegExp(`_${name}$`))),
      msg: 'migrations applied',
    },
    { level: 30, port: place.port, version, node: process.version, msg: 'the service listens' },
  ])
}, 180_000)

test('a port already in use is reported in one line', async () => {
  using place = await makePlace()
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(place.port, '127.0.0.1', () => resolve()))
  const ended = await run(place, 'lib/service/main.ts')
  other.close()
  expect(ended).toMatchObject({ code: 78, stdout: '', stderr: expect.stringMatching(oneLine) })
  expect(ended.stderr).toContain(String(place.port))
})

test('a second service on the same data is refused in one line', async () => {
  using place = await makePlace()
  await using _ = await startService(place)
  const ended = await run(place, 'lib/service/main.ts')
  expect(ended).toMatchObject({ code: 78, stderr: expect.stringMatching(oneLine) })
})

test('a key file that is wrong, missing, accessible to other users or not a key prevents the start', async () => {
  using place = await makePlace()
  await (await startService(place)).stop('SIGTERM')
  const right = `${place.keyFile}.right`
  chmodSync(place.keyFile, 0o440)
  expect(await run(place, 'lib/service/main.ts')).toMatchObject({ code: 78, stderr: expect.stringMatching(/accessible to other users/) })
  chmodSync(place.keyFile, 0o400)
  renameSync(place.keyFile, right)
  expect(await run(place, 'lib/service/main.ts')).toMatchObject({ code: 78, stderr: expect.stringMatching(/is missing/) })
  createKeyFile(place.keyFile)
  const wrong = await run(place, 'lib/service/main.ts')
  expect(wrong).toMatchObject({ code: 78, stderr: expect.stringMatching(oneLine) })
  expect(wrong.stderr).not.toContain(readFileSync(place.keyFile, 'utf8').trim())
  renameSync(right, place.keyFile)
  await using again = await startService(place)
  expect((await fetch(`${again.baseUrl}/api/health`)).status).toBe(200)
}, 180_000)

test('an invalid setting is named in one line, with the code after which no unit is started again', async () => {
  using place = await makePlace()
  place.env.SERVICE_PORT = 'http'
  expect(await run(place, 'lib/service/main.ts')).toEqual({
    code: 78,
    stdout: '',
    stderr: 'SERVICE_PORT is invalid: a number is needed.\n',
  })
})

test('in a unit with Type=notify it reports that it is ready once it answers, and that it works for as long as nothing blocks it', async () => {
  using place = await makePlace()
  const [programs, reports] = [join(place.dir, 'bin'), join(place.dir, 'reports')]
  mkdirSync(programs)
  writeFileSync(reports, '')
  // In the place of systemd's program, whose address for reports Node cannot write to.
  writeFileSync(join(programs, 'systemd-notify'), `#!/bin/sh\necho "$NOTIFY_SOCKET $1" >>${reports}\n`, { mode: 0o755 })
  Object.assign(place.env, { PATH: `${programs}:${process.env.PATH}`, NOTIFY_SOCKET: '/run/systemd/notify', WATCHDOG_USEC: '300000' })
  await using service = await startService(place)
  const read = () => readFileSync(reports, 'utf8').trim().split('\n')
  await expect.poll(() => read().length).toBeGreaterThan(3)
  expect([...new Set(read())]).toEqual(['/run/systemd/notify READY=1', '/run/systemd/notify WATCHDOG=1'])
  service.process.kill('SIGSTOP')
  await delay(500)
  const before = read().length
  await delay(1000)
  expect(read()).toHaveLength(before)
  service.process.kill('SIGCONT')
  await expect.poll(() => read().length).toBeGreaterThan(before)
})
