/** `npm run check` right after `npm ci`: the tools it runs, including Prisma, are small scripts of the test. */
import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type BareProject, makeBareProject } from '../support/bare-project'

const prisma = `
const { appendFileSync, mkdirSync } = require('node:fs')
const schema = /prisma\\/(\\w+)\\//.exec(process.argv.at(-1))[1]
mkdirSync('prisma/generated/' + schema, { recursive: true })
appendFileSync('generated', schema + ' ')
`

const needsClients = '#!/bin/sh\ntest -e prisma/generated/portal/stamp && test -e prisma/generated/service/stamp\n'

function makeInstalled(): BareProject {
  const project = makeBareProject()
  const { check } = JSON.parse(readFileSync('package.json', 'utf8')).scripts
  project.write('package.json', JSON.stringify({ name: 'bare', type: 'module', scripts: { check, borders: 'true' } }))
  for (const schema of ['portal', 'service']) project.write(`prisma/${schema}/schema.prisma`, 'first')
  project.write('node_modules/prisma/build/index.js', prisma)
  project.write('node_modules/prisma/package.json', '{ "version": "1.0.0" }')
  for (const tool of ['tsc', 'biome', 'knip']) {
    project.write(`node_modules/.bin/${tool}`, needsClients)
    chmodSync(join(project.dir, 'node_modules/.bin', tool), 0o755)
  }
  return project
}

/** Runs the check; returns which clients were generated for it. */
function check(project: BareProject): string {
  project.write('generated', '')
  const { status, stderr } = spawnSync('npm', ['run', 'check'], { cwd: project.dir, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  return project.read('generated').trim()
}

test('the clients are generated before the tools run if a schema or Prisma has changed, and not otherwise', () => {
  using project = makeInstalled()
  expect(check(project)).toBe('portal service')
  expect(check(project)).toBe('')
  project.write('prisma/service/schema.prisma', 'second')
  expect(check(project)).toBe('service')
  project.write('node_modules/prisma/package.json', '{ "version": "1.0.1" }')
  expect(check(project)).toBe('portal service')
})
