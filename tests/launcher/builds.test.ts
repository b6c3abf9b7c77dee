/**
 * Builds are stored side by side: a new one removes nothing that a process uses, and a killed one is never used. Next is a script
 * of the test, because the test must not depend on how long a real build takes. tests/launcher/ready-beneath.test.ts does the
 * same once with the real one.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type BareProject, isAlive, makeBareProject } from '../support/bare-project'

/** Writes half a build, with a worker process, and the rest once there is a file `go`. */
const slowNext = `
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
const folder = process.env.GATEHOUSE_BUILD
mkdirSync(folder + '/static/chunks', { recursive: true })
appendFileSync('runs', 'run\\n')
const worker = spawn('sleep', ['300'])
writeFileSync('pids', process.pid + ' ' + worker.pid)
while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 20))
worker.kill()
writeFileSync(folder + '/static/chunks/a.js', 'let a')
writeFileSync(folder + '/BUILD_ID', 'a build')
`

function makeProject(): { project: BareProject; pids(): number[]; folders(): string[]; build(source: string): Promise<string> } {
  const project = makeBareProject()
  project.write('node_modules/next/dist/bin/next', slowNext)
  project.write('node_modules/next/package.json', '{ "type": "module" }')
  for (const path of ['node_modules/tsx/package.json', 'prisma/generated/portal/stamp', 'prisma/generated/service/stamp']) {
    project.write(path, '{}')
  }
  const folders = () => (project.has('.next-builds') ? readdirSync(join(project.dir, '.next-builds')) : [])
  return {
    project,
    folders,
    pids: () => (project.has('pids') ? project.read('pids').split(' ').map(Number) : []),
    /** Builds the project with that in its source; resolves with the name of the new folder. */
    async build(source) {
      const before = folders()
      project.write('app/page.tsx', source)
      project.write('go', '')
      const run = project.start('build.mjs')
      expect([await run.ended, run.output()]).toEqual([0, expect.stringMatching(/^Building the portal …\nBuilt the portal in \d+ s\.\n$/)])
      return folders().find((name) => !before.includes(name)) ?? ''
    },
  }
}

test.each(['SIGTERM', 'SIGKILL'] as const)('a build stopped by %s leaves no process, and the next build starts over', async (signal) => {
  const { project, pids, folders, build } = makeProject()
  using _ = project
  project.write('app/page.tsx', 'a page')
  const run = project.start('build.mjs')
  await expect.poll(pids).toHaveLength(2)
  run.kill(signal)
  expect(await run.ended).toBe(signal)
  await expect.poll(() => pids().filter(isAlive)).toEqual([])
  expect(project.has(`.next-builds/${folders()[0]}/made`)).toBe(false)
  await build('a page')
  expect(project.has(`.next-builds/${folders()[0]}/made`)).toBe(true)
})

test('two simultaneous builds are one: the second waits for the first', async () => {
  const { project, pids, folders } = makeProject()
  using _ = project
  const first = project.start('build.mjs')
  await expect.poll(pids).toHaveLength(2)
  const second = project.start('build.mjs')
  await expect.poll(() => second.output()).toContain('Waiting for it to finish')
  project.write('go', '')
  expect(await Promise.all([first.ended, second.ended])).toEqual([0, 0])
  expect([project.read('runs'), folders().length]).toEqual(['run\n', 1])
})

test('an older build is kept while a process uses it, and deleted by the first build after that', async () => {
  const { project, folders, build } = makeProject()
  using _ = project
  const oldest = await build('page 1')
  project.write(
    'lib/launcher/hold.mjs',
    `import { holdFolder } from './made-folders.mjs'\nholdFolder(process.env.FOLDER)\nconsole.log('held')\nsetInterval(() => {}, 1000)`,
  )
  // The holder is a source as well: the builds from here on have other sources than page 1.
  const holder = project.start('hold.mjs', { FOLDER: `.next-builds/${oldest}` })
  await expect.poll(() => holder.output()).toBe('held\n')
  for (const page of ['page 2', 'page 3', 'page 4', 'page 5']) await build(page)
  expect(folders()).toContain(oldest)
  expect(folders()).toHaveLength(4)
  holder.kill('SIGTERM')
  await holder.ended
  const newest = await build('page 6')
  expect(folders()).not.toContain(oldest)
  expect(folders()).toContain(newest)
})

test('sources that were built before are not built again', async () => {
  const { project, build } = makeProject()
  using _ = project
  await build('page 1')
  await build('page 2')
  project.write('app/page.tsx', 'page 1')
  const run = project.start('build.mjs')
  expect([await run.ended, run.output()]).toEqual([0, ''])
})
