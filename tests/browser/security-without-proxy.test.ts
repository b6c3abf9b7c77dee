/** proxy.ts is not a security boundary: every permission check works in a build without it. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe } from 'vitest'
import { openEstate } from './security/estate'
import { foreignIds } from './security/ids'
import { matrix } from './security/matrix'
import { methods } from './security/methods'
import { origins } from './security/origins'
import { revocation } from './security/revocation'

const sources = [
  'app',
  'lib',
  'prisma',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.next.json',
  'next.config.js',
  'postcss.config.js',
  'instrumentation.ts',
]

/** Builds the project without proxy.ts. Dependencies are hard links if the disk allows it, because Next does not follow symbolic ones. */
function buildWithoutProxy(): string {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-without-proxy-'))
  for (const source of sources) cpSync(source, join(dir, source), { recursive: true })
  const linked = spawnSync('cp', ['-al', 'node_modules', dir]).status === 0
  if (!linked) cpSync('node_modules', join(dir, 'node_modules'), { recursive: true, verbatimSymlinks: true })
  const { status, stdout, stderr } = spawnSync(process.execPath, ['lib/launcher/build.mjs'], { cwd: dir, encoding: 'utf8' })
  if (status !== 0) throw new Error(`The copy could not be built:\n${stdout}${stderr}`)
  return dir
}

const dir = buildWithoutProxy()
const estate = await openEstate(dir)
afterAll(async () => {
  await estate[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true, force: true })
})

describe('security 25: without proxy.ts', () => {
  foreignIds(estate)
  revocation(estate)
  origins(estate)
  matrix(estate)
  methods(estate)
})
