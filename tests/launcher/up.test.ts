/** `npm run up` on a built project: it starts, keeps all data, stops cleanly, and refuses with one clear line. */
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createCaller } from '../browser/security/caller'
import { findHolder } from '../support/claimant'
import { makePlace, type Place, runGatehouse, startGatehouse } from '../support/gatehouse-process'
import { processesOf } from '../support/place-processes'
import { createVisitor } from '../support/portal-visitor'
import { readSse } from '../support/sse-reader'

const answers = (url: string) =>
  fetch(url).then(
    (response) => response.ok,
    () => false,
  )

/** Lines for a reader: without the log's JSON and the note on old Node versions. */
const sentences = (output: string) => output.split('\n').filter((line) => line && !line.startsWith('{') && !line.startsWith('Node 20'))

async function refusal(place: Place): Promise<string> {
  const { code, output } = await runGatehouse(place)
  expect(code).toBe(78)
  expect(await answers(`http://127.0.0.1:${place.port}/api/health`)).toBe(false)
  expect(sentences(output)).toHaveLength(1)
  return output
}

test('the first start prints the address and a set-up link, the second one keeps everything and asks for nothing', async () => {
  using place = await makePlace()
  const first = await startGatehouse(place)
  expect(first.url).toBe(`http://localhost:${place.port}`)
  expect(first.setupLink).toContain('/setup')
  expect(await answers(`${first.url}/api/health`)).toBe(true)
  expect(await answers(`http://127.0.0.1:${place.servicePort}/api/health`)).toBe(true)
  const kek = readFileSync(join(place.dir, 'keys/portal/kek.key'))
  expect(await first.stop()).toBe(0)
  expect(await answers(`http://127.0.0.1:${place.servicePort}/api/health`)).toBe(false)

  await using second = await startGatehouse(place)
  expect(second.setupLink).not.toBe(first.setupLink)
  expect(readFileSync(join(place.dir, 'keys/portal/kek.key')).equals(kek)).toBe(true)
})

test('folders and key files are accessible only to their owner, and a second portal on the same data is refused', async () => {
  using place = await makePlace()
  await using _gatehouse = await startGatehouse(place)
  const mode = (path: string) => statSync(join(place.dir, path)).mode & 0o777
  for (const folder of ['data', 'data/portal', 'data/service', 'keys', 'keys/portal', 'keys/service']) expect(mode(folder)).toBe(0o700)
  for (const file of ['portal/kek.key', 'portal/session.key', 'service/kek.key']) expect(mode(`keys/${file}`)).toBe(0o400)
  expect(readdirSync(join(place.dir, 'data'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.key'))).toEqual([])

  using elsewhere = await makePlace()
  elsewhere.env.GATEHOUSE_DATA = join(place.dir, 'data')
  elsewhere.env.GATEHOUSE_KEYS = join(place.dir, 'keys')
  expect(await refusal(elsewhere)).toMatch(/already running on/)
})

test('a stop disconnects browsers that follow jobs and finishes the other answers', async () => {
  using place = await makePlace()
  await using gatehouse = await startGatehouse(place)
  const visitor = createVisitor(createCaller(place.port))
  await visitor.setUp(gatehouse.setupLink ?? '')
  const slow = await visitor.addSandbox('slow-01')
  const job = await visitor.install(await visitor.addSandbox('web-01'))
  const ask = (path: string) => fetch(`${gatehouse.url}/api/${path}`, { headers: { cookie: visitor.cookie() } })
  const watching = readSse(await ask(`jobs/${job}/events`))
  await expect.poll(() => watching.events.length).toBeGreaterThan(0)

  const [asked, reading] = [performance.now(), ask(`operations/servers.summary?server=${slow}`)]
  // A slow server takes more than a second to answer.
  await pause(300)
  const stopping = gatehouse.stop()
  await watching.done.catch(() => {})
  const resume = performance.now() - asked
  expect((await reading).status).toBe(200)
  expect(performance.now() - asked).toBeGreaterThan(resume)
  expect(await stopping).toBe(0)
  // It would be killed after ten seconds.
  expect(performance.now() - asked).toBeLessThan(8000)
})

test.each(['portal', 'service'] as const)('if the %s dies, the other half is stopped and the exit code is not 0', async (name) => {
  using place = await makePlace()
  const gatehouse = await startGatehouse(place)
  const ended = new Promise<number | null>((resolve) => gatehouse.process.once('close', resolve))
  process.kill(findHolder(place, name), 'SIGKILL')
  expect(await ended).not.toBe(0)
  expect(gatehouse.output()).toContain(`The ${name} stopped unexpectedly`)
  expect(await answers(`http://127.0.0.1:${place.port}/api/health`)).toBe(false)
  expect(await answers(`http://127.0.0.1:${place.servicePort}/api/health`)).toBe(false)
})

test('killed by SIGKILL, it leaves no process and starts again', async () => {
  using place = await makePlace()
  const killed = await startGatehouse(place)
  await killed.stop('SIGKILL')
  await expect.poll(() => answers(`http://127.0.0.1:${place.port}/api/health`), { timeout: 10_000 }).toBe(false)
  await expect.poll(() => answers(`http://127.0.0.1:${place.servicePort}/api/health`), { timeout: 10_000 }).toBe(false)
  await using again = await startGatehouse(place)
  expect(await answers(`${again.url}/api/health`)).toBe(true)
})

test.each([
  ['PORT', 'port'],
  ['SERVICE_PORT', 'servicePort'],
] as const)('a %s already in use is named together with the setting to change', async (setting, name) => {
  using place = await makePlace()
  const port = place[name]
  const squatter = createServer().listen(port, '127.0.0.1')
  const { code, output } = await runGatehouse(place)
  squatter.close()
  expect(code).not.toBe(0)
  expect(sentences(output)).toEqual([`Port ${port} on 127.0.0.1 is taken by another program. Free it, or set ${setting} to another one.`])
})

test('a folder that is a file, not writable or accessible to other users is refused and left unchanged', async () => {
  using place = await makePlace()
  const data = join(place.dir, 'data')
  writeFileSync(data, '')
  expect(await refusal(place)).toMatch(/cannot be created or written.*GATEHOUSE_DATA/)
  rmSync(data)
  using nowhere = { ...place, env: { ...place.env, GATEHOUSE_KEYS: '/dev/null/keys' }, [Symbol.dispose]: () => {} }
  expect(await refusal(nowhere)).toMatch(/\/dev\/null\/keys cannot be created or written.*GATEHOUSE_KEYS/)
  chmodSync(data, 0o755)
  expect(await refusal(place)).toContain(`The folder ${data} is accessible to other users. Run chmod 0700 ${data} `)
  expect(statSync(data).mode & 0o777).toBe(0o755)
})

test.each([
  ['the preparation runs', 'keys/portal/kek.key'],
  ['the service has its database', 'data/service/service.db.claim'],
  ['the portal has its database', 'data/portal/portal.db.claim'],
])('stopped while %s, it leaves no process and both ports free', async (_, file) => {
  using place = await makePlace()
  let launcher: ChildProcess | undefined
  const ended = runGatehouse(place, (child) => {
    launcher = child
  })
  await expect.poll(() => existsSync(join(place.dir, file)), { timeout: 60_000, interval: 5 }).toBe(true)
  launcher?.kill('SIGTERM')
  expect((await ended).code).toBe(0)
  expect(processesOf(place)).toEqual([])
  for (const port of [place.port, place.servicePort]) {
    const probe = createServer().listen(port, '127.0.0.1')
    await once(probe, 'listening')
    probe.close()
  }
})

test('security 9: a key file that is readable by others, or belongs to another database, is refused before listening', async () => {
  using place = await makePlace()
  const gatehouse = await startGatehouse(place)
  await gatehouse.stop()
  for (const [name, why] of [
    ['portal', /does not belong to this database/],
    ['service', /is not the key of this service's database/],
  ] as const) {
    const file = join(place.dir, `keys/${name}/kek.key`)
    const right = readFileSync(file, 'utf8')
    chmodSync(file, 0o440)
    expect(await refusal(place)).toContain(`${name}/kek.key is accessible to other users`)
    const foreign = randomBytes(32).toString('base64')
    chmodSync(file, 0o600)
    writeFileSync(file, foreign)
    chmodSync(file, 0o400)
    const said = await refusal(place)
    expect(said).toMatch(why)
    expect(said).not.toContain(foreign)
    chmodSync(file, 0o600)
    writeFileSync(file, right)
    chmodSync(file, 0o400)
  }
  await using again = await startGatehouse(place)
  expect(await answers(`${again.url}/api/health`)).toBe(true)
})

test('contradictory settings are refused: one folder for both, one port twice, public plain http, certificate checks off', async () => {
  using place = await makePlace()
  const data = place.env.GATEHOUSE_DATA ?? ''
  for (const [setting, value, why] of [
    ['GATEHOUSE_KEYS', join(data, 'keys'), /two folders/],
    ['PUBLIC_URL', 'http://portal.example.test', /ALLOW_PLAIN_HTTP=1/],
    ['NODE_TLS_REJECT_UNAUTHORIZED', '0', /certificate checks/],
    ['PORT', 'http', /^PORT is invalid: a number is needed\.$/m],
    ['SERVICE_PORT', String(place.port), /^PORT and SERVICE_PORT are both \d+\. Set one of them to another port\.$/m],
    ['METRICS_PORT', String(place.servicePort), /^SERVICE_PORT and METRICS_PORT are both \d+\. Set one of them to another port\.$/m],
  ] as const) {
    using wrong = { ...place, env: { ...place.env, [setting]: value }, [Symbol.dispose]: () => {} }
    const { code, output } = await runGatehouse(wrong)
    expect(code).not.toBe(0)
    expect(output).toMatch(why)
  }
  expect(existsSync(join(place.dir, 'keys'))).toBe(false)
})

test('a secret file that is missing, empty or no file is named together with its setting, before anything is created', async () => {
  using place = await makePlace({ SMTP_URL: 'smtps://robin@mail.example.org', MAIL_FROM: 'Gatehouse <gatehouse@example.org>' })
  const file = join(place.dir, 'smtp-password')
  place.env.SMTP_PASSWORD_FILE = file
  expect(await refusal(place)).toContain(`The file ${file} is missing. Put the secret there, or set SMTP_PASSWORD_FILE to another file.`)
  writeFileSync(file, '\n')
  expect(await refusal(place)).toContain(`The file ${file} is empty.`)
  const provider = { OIDC_ISSUER: 'https://id.example.org', OIDC_CLIENT_ID: 'gatehouse', OIDC_CLIENT_SECRET_FILE: place.dir }
  using other = await makePlace(provider)
  expect(await refusal(other)).toContain(`The file ${place.dir} is not a plain file. Put the secret there, or set OIDC_CLIENT_SECRET_FILE`)
  writeFileSync(file, 'a secret', { mode: 0o644 })
  other.env.OIDC_CLIENT_SECRET_FILE = file
  expect(await refusal(other)).toContain(`The file ${file} is accessible to other users: run chmod 0400 on it.`)
  expect(existsSync(join(place.dir, 'data/portal'))).toBe(false)
})

test('a misspelt setting is named, once, and does not stop the start', async () => {
  using place = await makePlace({ PUBLIC_URI: 'https://portal.example.org' })
  await using gatehouse = await startGatehouse(place)
  expect(sentences(gatehouse.output()).filter((line) => line.includes('PUBLIC_URI'))).toEqual([
    'PUBLIC_URI is not a setting and has no effect. Did you mean PUBLIC_URL?',
  ])
})

test('a foreign service replaces the bundled one, which is then not started', async () => {
  using place = await makePlace({ UPSTREAM_URL: 'http://127.0.0.1:9/api' })
  await using gatehouse = await startGatehouse(place)
  expect(gatehouse.setupLink).toContain('/setup')
  expect(await answers(`http://127.0.0.1:${place.servicePort}/api/health`)).toBe(false)
  expect(existsSync(join(place.dir, 'data/service'))).toBe(false)
})

test('UPSTREAM_URL set after set-up: the start explains the effect, and says nothing once it is removed', async () => {
  using place = await makePlace()
  {
    await using first = await startGatehouse(place)
    expect(first.setupLink).toContain('/setup')
    using caller = createCaller(place.port)
    await createVisitor(caller).setUp(first.setupLink ?? '')
  }
  place.env.UPSTREAM_URL = 'http://127.0.0.1:9/api'
  {
    await using second = await startGatehouse(place)
    expect(sentences(second.output())).toEqual([
      `Gatehouse is at ${second.url}`,
      expect.stringContaining('the bundled service is not started'),
      expect.stringContaining('No connection points to http://127.0.0.1:9/api yet.'),
    ])
  }
  delete place.env.UPSTREAM_URL
  await using third = await startGatehouse(place)
  expect(sentences(third.output())).toEqual([`Gatehouse is at ${third.url}`])
  expect(await answers(`http://127.0.0.1:${place.servicePort}/api/health`)).toBe(true)
})
