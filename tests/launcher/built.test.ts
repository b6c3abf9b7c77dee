/**
 * Units start what `npm run ready` completed last: after an update of Node, while a newer version is being made, and after that was killed.
 * Their user may not write the project's folder. Next and esbuild are scripts of the test; tests/launcher/built-alone.test.ts uses the real ones.
 */
import { expect, test } from 'vitest'
import { type BareProject, makeBareProject } from '../support/bare-project'
import { runAsReader } from '../support/reader'

/** Copies the page into the build; with a file `wait` it never ends. */
const next = `
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
const folder = process.env.GATEHOUSE_BUILD
mkdirSync(folder + '/static/chunks', { recursive: true })
while (existsSync('wait')) await new Promise((resolve) => setTimeout(resolve, 20))
copyFileSync('app/page.tsx', folder + '/static/chunks/a.js')
`

/** Prints the source that it was built from, and for the portal also the page of the build. */
const program = `
import { readFileSync } from 'node:fs'
const source = readFileSync(new URL('source', import.meta.url), 'utf8')
if (import.meta.url.endsWith('service-main.mjs')) console.log('service of ' + source)
const lastLine = (file) => readFileSync(file, 'utf8').split('\\n').at(-1)
export const startPortalAlone = ({ build }) => console.log('portal of ' + source + ', page of ' + lastLine(build + '/static/chunks/a.js'))
`

const esbuild = `
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
export async function build({ outdir }) {
  mkdirSync(outdir, { recursive: true })
  copyFileSync('lib/source.ts', outdir + '/source')
  for (const name of ['service-main', 'launcher-start']) writeFileSync(outdir + '/' + name + '.mjs', ${JSON.stringify(program)})
}
`

const prisma = `
const { mkdirSync } = require('node:fs')
mkdirSync('prisma/generated/' + /prisma\\/(\\w+)\\//.exec(process.argv.at(-1))[1], { recursive: true })
`

/** A project as `git pull` leaves it, with that in its sources. */
function pull(project: BareProject, version: string): void {
  project.write('lib/source.ts', version)
  project.write('app/page.tsx', version)
}

function makeProject(): BareProject {
  const project = makeBareProject()
  for (const [path, text] of [
    ['next/dist/bin/next', next],
    ['next/package.json', '{ "type": "module" }'],
    ['esbuild/index.mjs', esbuild],
    ['esbuild/package.json', '{ "main": "index.mjs" }'],
    ['prisma/build/index.js', prisma],
    ['prisma/package.json', '{ "version": "1.0.0" }'],
  ] as const) {
    project.write(`tools/${path}`, text)
  }
  for (const schema of ['portal', 'service']) project.write(`prisma/${schema}/schema.prisma`, schema)
  // Installing is copying these.
  project.writeProgram('npm', 'cp -r ../tools node_modules')
  return project
}

async function makeReady(project: BareProject): Promise<void> {
  const run = project.start('ready.mjs')
  expect([await run.ended, run.output()]).toEqual([0, expect.any(String)])
}

/** What a unit prints, without the note on old versions of Node. `node`: the version that Node reports. */
function startUnit(project: BareProject, half: 'portal' | 'service' | 'ready', node = process.version): string[] {
  const version = `Object.defineProperty(process, 'version', { value: '${node}' })`
  const args = [`--import=data:text/javascript,${encodeURIComponent(version)}`, `lib/launcher/${half}.mjs`]
  const { stdout, stderr } = runAsReader(project.dir, args)
  return `${stdout}${stderr}`.split('\n').filter((line) => line !== '' && !line.startsWith('Node 20'))
}

const changed = (what: string) =>
  expect.stringMatching(
    new RegExp(`^This start uses what npm run ready made at [0-9: -]{16} UTC\\. Changed since then: ${what}\\. Run npm run ready`),
  )

test('both units start after a pull, while the new version is made, and when that was killed; then they start the new version', async () => {
  using project = makeProject()
  pull(project, 'version 1')
  await makeReady(project)
  expect(startUnit(project, 'portal')).toEqual(['portal of version 1, page of version 1'])
  expect(startUnit(project, 'service')).toEqual(['service of version 1'])

  pull(project, 'version 2')
  expect(startUnit(project, 'portal')).toEqual([changed('the sources'), 'portal of version 1, page of version 1'])
  project.write('package-lock.json', JSON.stringify({ name: 'bare', version: '1.0.1', lockfileVersion: 3, packages: {} }))
  project.write('wait', '')
  const killed = project.start('ready.mjs')
  await expect.poll(() => killed.output()).toContain('Building the portal')
  expect(startUnit(project, 'service')).toEqual([changed('the sources, the dependencies'), 'service of version 1'])
  killed.kill('SIGKILL')
  await killed.ended
  expect(startUnit(project, 'portal')).toEqual([changed('the sources, the dependencies'), 'portal of version 1, page of version 1'])

  project.remove('wait')
  await makeReady(project)
  expect(startUnit(project, 'portal')).toEqual(['portal of version 2, page of version 2'])
  expect(startUnit(project, 'service')).toEqual(['service of version 2'])
})

test('an update of Node needs no build, and is named until the next one', async () => {
  using project = makeProject()
  pull(project, 'version 1')
  await makeReady(project)
  expect(startUnit(project, 'portal', 'v99.1.0')).toEqual([
    changed(`Node \\(${process.version} then, v99\\.1\\.0 now\\)`),
    'portal of version 1, page of version 1',
  ])
})

test('what units start is kept, however many builds of newer versions are made and not completed', async () => {
  using project = makeProject()
  pull(project, 'version 1')
  await makeReady(project)
  for (const version of [2, 3, 4, 5, 6]) {
    pull(project, `version ${version}`)
    const run = project.start('programs.mjs')
    expect([await run.ended, run.output()]).toEqual([0, ''])
  }
  expect(startUnit(project, 'service')).toEqual([changed('the sources'), 'service of version 1'])
})

test('what was not made ready is refused in one line: a project that never was, and a command that makes ready as another user', async () => {
  using project = makeProject()
  pull(project, 'version 1')
  expect(startUnit(project, 'portal')).toEqual([
    expect.stringMatching(/^Not ready to start, .*: run "npm run ready" there as its owner\.$/),
  ])
  await makeReady(project)
  expect(startUnit(project, 'ready')).toEqual([])
  pull(project, 'version 2')
  expect(startUnit(project, 'ready')).toEqual([expect.stringContaining('run "npm run ready" there as its owner.')])
})
