/**
 * Installing the dependencies: stopped together with the launcher, once at a time, announced, next to the existing ones. npm is a
 * script of the test where it has to be slow, because the real one's duration depends on the network.
 */
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { type BareProject, isAlive, makeBareProject } from '../support/bare-project'

/** Like npm ci: half a tree first, with a child process, the rest when the test allows it. */
const slowNpm = `
[ "$1" = ci ] || exit 0
echo run >>"$RUNS"
mkdir -p node_modules/half
sleep 300 &
echo "$$ $!" >"$PIDS"
until [ -e "$GO" ]; do sleep 0.05; done
kill $!
echo '{}' >node_modules/half/package.json`

function makeSlow(): { project: BareProject; env: Record<string, string>; pids(): number[]; runs(): number } {
  const project = makeBareProject()
  project.writeProgram('npm', slowNpm)
  const env = { RUNS: `${project.dir}/runs`, PIDS: `${project.dir}/pids`, GO: `${project.dir}/go` }
  const read = (name: string) => (project.has(name) ? project.read(name) : '')
  return {
    project,
    env,
    pids: () => read('pids').split(/\s+/).filter(Boolean).map(Number),
    runs: () => read('runs').split('\n').length - 1,
  }
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
  '%s to `npm run up` while npm installs stops npm and its children, and the installed tree stays complete',
  async (signal) => {
    const { project, env, pids } = makeSlow()
    using _ = project
    project.write('node_modules/earlier/package.json', '{}')
    const up = project.start('up.mjs', env)
    await expect.poll(pids).toHaveLength(2)
    up.kill(signal)
    expect(await up.ended).toBe(signal)
    await expect.poll(() => pids().filter(isAlive)).toEqual([])
    expect(project.has('node_modules/earlier/package.json')).toBe(true)
    expect(project.has('node_modules/half')).toBe(false)
  },
)

test('with two at once the second one waits and says for whom; npm runs once', async () => {
  const { project, env, pids, runs } = makeSlow()
  using _ = project
  const first = project.start('ready.mjs', env)
  await expect.poll(pids).toHaveLength(2)
  const second = project.start('ready.mjs', env)
  await expect.poll(() => second.output()).toMatch(/Process \d+ is installing or building here\. Waiting for it to finish …/)
  project.write('go', '')
  await Promise.all([first.ended, second.ended])
  expect(runs()).toBe(1)
  expect(project.has('node_modules/half/package.json')).toBe(true)
  expect(second.output()).not.toContain('Installing')
})

test('a waiting launcher takes over when the installing one is killed', async () => {
  const { project, env, pids, runs } = makeSlow()
  using _ = project
  const first = project.start('ready.mjs', env)
  await expect.poll(pids).toHaveLength(2)
  const second = project.start('ready.mjs', env)
  await expect.poll(() => second.output()).toContain('Waiting for it to finish')
  first.kill('SIGKILL')
  await expect.poll(runs).toBe(2)
  project.write('go', '')
  await second.ended
  expect(project.has('node_modules/half/package.json')).toBe(true)
})

test('another program that holds the name of the lock delays an install, which says so', async () => {
  const { project, runs } = makeSlow()
  using _ = project
  const { dev, ino } = statSync(project.dir)
  const squatter = createServer().listen(`\0gatehouse-${dev}-${ino}`)
  await once(squatter, 'listening')
  const run = project.start('ready.mjs')
  await expect.poll(() => run.output()).toContain('Another program is installing or building here. Waiting for it to finish …')
  expect(runs()).toBe(0)
  run.kill('SIGTERM')
  expect(await run.ended).toBe('SIGTERM')
  squatter.close()
})

test('each install is announced at its start and end, with its duration, and not when there is nothing to do', async () => {
  const { project, env, pids, runs } = makeSlow()
  using _ = project
  const announced = /Installing the dependencies …\n(.*\n)*Installed the dependencies in \d+ s\.\n/
  const first = project.start('ready.mjs', env)
  await expect.poll(pids).toHaveLength(2)
  expect(project.has('node_modules')).toBe(false)
  project.write('go', '')
  await first.ended
  expect(first.output()).toMatch(announced)

  const unchanged = project.start('ready.mjs', env)
  await unchanged.ended
  expect(unchanged.output()).not.toContain('Install')

  project.write('package-lock.json', '{ "lockfileVersion": 3, "packages": {} }')
  const changed = project.start('ready.mjs', env)
  await changed.ended
  expect(changed.output()).toMatch(announced)
  expect(runs()).toBe(2)
})

test('a slow install says so after 15 seconds', async () => {
  const { project, env } = makeSlow()
  using _ = project
  const run = project.start('ready.mjs', env)
  await expect.poll(() => run.output(), { timeout: 40_000 }).toContain('Installing the dependencies … 15 s\n')
  run.kill('SIGTERM')
  await run.ended
})

test('when npm fails, its output is shown and the installed tree stays', async () => {
  using project = makeBareProject()
  project.writeProgram('npm', 'echo the words of npm >&2; exit 1')
  project.write('node_modules/earlier/package.json', '{}')
  const run = project.start('ready.mjs')
  expect(await run.ended).toBe(1)
  expect(run.output()).toContain('npm ci failed:\nthe words of npm')
  expect(project.has('node_modules/earlier/package.json')).toBe(true)
})
