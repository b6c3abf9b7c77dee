/** Each half started alone, as the two units do; its output; and signals that arrive through npm. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCaller } from '../browser/security/caller'
import { type ChildProgram, followProgram } from '../support/child-program'
import { findHolder } from '../support/claimant'
import { findFreePort, makePlace, type Place, runGatehouse } from '../support/gatehouse-process'
import { createVisitor } from '../support/portal-visitor'

const answers = (port: number, path = '/api/health') =>
  fetch(`http://127.0.0.1:${port}${path}`).then(
    (response) => response.ok,
    () => false,
  )

const untilAnswering = (port: number, expected = true) => expect.poll(() => answers(port), { timeout: 120_000 }).toBe(expected)

type Started = ChildProgram & { child: ChildProcess }

function start(place: Place, command: readonly string[], cwd = process.cwd()): Started {
  const [program = '', ...args] = command
  const { NODE_ENV: _, ...inherited } = process.env
  const env: NodeJS.ProcessEnv = { ...inherited, ...place.env, NODE_ENV: 'production' }
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  return { child, ...followProgram(child) }
}

const launcher = (name: string) => [process.execPath, join(process.cwd(), `lib/launcher/${name}.mjs`)]

/** Runs one of the commands on the place; returns its standard output. */
function runCommand(place: Place, ...args: string[]): string {
  const { stdout, stderr, status } = spawnSync('npm', ['run', '--silent', ...args], {
    env: { ...process.env, ...place.env },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return stdout.trim()
}

test('portal and service started separately connect with an API key from a file, and every log line is a JSON object', async () => {
  using place = await makePlace({ LOG_LEVEL: 'info' })
  const metricsPort = await findFreePort()
  Object.assign(place.env, { SERVICE_KEY_FILE: join(place.dir, 'service-key'), METRICS_PORT: String(metricsPort) })
  // Started from another folder: each uses its own project.
  await using service = start(place, launcher('service'), place.dir)
  await untilAnswering(place.servicePort)
  const key = runCommand(place, 'service:keys', '--', 'create', '--account', 'portal')
  writeFileSync(join(place.dir, 'service-key'), `${key}\n`, { mode: 0o400 })
  await using portal = start(place, launcher('portal'), place.dir)
  await untilAnswering(place.port)
  await expect.poll(() => portal.output()).toContain('./gatehouse owner setup')
  expect(portal.output()).not.toContain('token=')

  using caller = createCaller(place.port)
  const visitor = createVisitor(caller)
  await visitor.setUp(/http\S+/.exec(runCommand(place, 'owner', '--', 'setup'))?.[0] ?? '')
  await visitor.addSandbox('web-fra-01')
  expect(() => runCommand(place, 'owner', '--', 'setup')).toThrow('An owner already exists.')
  const figures = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  expect(figures).toContain('gatehouse_operations_total{operation="servers.create",outcome="done"} 1\n')
  expect(figures).toMatch(/gatehouse_requests_total\{method="POST",status="\dxx"\} \d/)

  const spoken = /^(Node 20 |Gatehouse is at |There is no account yet)/
  const lines = `${service.output()}${portal.output()}`.trim().split('\n')
  const logged = lines.filter((line) => !spoken.test(line)).map((line) => JSON.parse(line))
  expect(logged.some(({ msg }) => /next\.config\.js/.test(msg))).toBe(true)
  for (const line of logged) expect(line).toMatchObject({ level: expect.any(Number), time: expect.any(String), msg: expect.any(String) })
  expect(lines.join()).not.toContain(key)
  portal.child.kill('SIGTERM')
  expect(await portal.ended).toBe(0)
  expect(await answers(place.servicePort)).toBe(true)
})

test('a portal alone without an API key for its service is refused in one line that says what to do', async () => {
  using place = await makePlace()
  await using portal = start(place, launcher('portal'))
  expect(await portal.ended).toBe(78)
  expect(
    portal
      .output()
      .split('\n')
      .filter((line) => line && !line.startsWith('Node 20')),
  ).toEqual([expect.stringMatching(/^The portal needs an API key of the service: .*SERVICE_KEY_FILE/)])
})

const ends: Record<string, (pid: number) => unknown> = {
  'SIGTERM to npm': (pid) => process.kill(pid, 'SIGTERM'),
  'Ctrl-C in its terminal': (pid) => process.kill(-pid, 'SIGINT'),
}

test.each(Object.entries(ends))('%s stops both halves', async (_, end) => {
  using place = await makePlace()
  await using npm = start(place, ['npm', 'run', 'up'])
  await expect.poll(() => npm.output(), { timeout: 120_000 }).toContain('Gatehouse is at')
  const pids = (['portal', 'service'] as const).map((name) => findHolder(place, name))
  end(npm.child.pid ?? 0)
  await npm.ended
  await Promise.all([untilAnswering(place.port, false), untilAnswering(place.servicePort, false)])
  for (const pid of pids) await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('a METRICS_PORT that is already in use is named', async () => {
  using squatted = await makePlace()
  await using _service = start(squatted, launcher('service'))
  await untilAnswering(squatted.servicePort)
  using place = await makePlace({ METRICS_PORT: String(squatted.servicePort) })
  expect((await runGatehouse(place)).output).toContain('set METRICS_PORT to another one')
})
