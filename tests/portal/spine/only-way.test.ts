import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

type Import = { from: string; to: string; names: string[] }

const sources = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => /\.tsx?$/.test(name))

/** Every import and re-export of a value in app and lib, with the file it leads to (without its ending). */
function readImports(): Import[] {
  return [...sources('app'), ...sources('lib')].flatMap((from) => {
    const text = readFileSync(from, 'utf8')
    const found = text.matchAll(/(?:import|export)\s+(?!type\b)(?:\{([^}]*)\}|[\w*\s,]+)?\s*(?:from\s*)?'([^']+)'|import\('([^']+)'\)/g)
    return [...found].map(([, names = '', specifier, dynamic]) => {
      const path = specifier ?? dynamic ?? ''
      const to = path.startsWith('@/') ? path.slice(2) : path.startsWith('.') ? join(dirname(from), path) : path
      return {
        from,
        to,
        names: names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '' && !name.startsWith('type ')),
      }
    })
  })
}

const importersOf = (imports: Import[], to: string, name?: string) =>
  imports
    .filter(
      (each) =>
        each.to === to && (name === undefined || each.names.length === 0 || each.names.some((given) => given.split(' as ')[0] === name)),
    )
    .map(({ from }) => from)

test('nothing but the spine and the relay calls upstream with a key', () => {
  const imports = readImports()
  expect(imports.length).toBeGreaterThan(200)
  expect(importersOf(imports, 'lib/portal/upstream/egress', 'send')).toEqual(['lib/portal/upstream/with-key.ts'])
  expect(importersOf(imports, 'lib/portal/custody/open-key', 'withOpenKey').sort()).toEqual([
    'lib/portal/custody/credential.ts',
    'lib/portal/upstream/with-key.ts',
  ])
  expect(importersOf(imports, 'lib/portal/upstream/unattended', 'openStream')).toEqual(['lib/portal/jobs/relay/attach.ts'])
  expect(importersOf(imports, 'lib/portal/upstream/call', 'callConnection').sort()).toEqual([
    'lib/portal/spine/run-operation.ts',
    'lib/portal/upstream/unattended.ts',
  ])
  expect(importersOf(imports, 'lib/portal/spine/run-operation', 'createSpine')).toEqual(['lib/portal/subjects/spine.ts'])
})

test('nothing skips the decision: only lists of connections, the sampler and the reading of what a lost answer left make calls without a user', () => {
  const imports = readImports()
  expect(importersOf(imports, 'lib/portal/upstream/unattended', 'callConnection').sort()).toEqual([
    'lib/portal/jobs/relay/read-back.ts',
    'lib/portal/subjects/listing/refresh.ts',
    'lib/portal/subjects/sampling/sampler.ts',
  ])
  expect(importersOf(imports, 'lib/portal/upstream/unattended', 'tryConnection').sort()).toEqual([
    'lib/portal/subjects/connections/prove.ts',
  ])
  expect(importersOf(imports, 'lib/portal/jobs/relay/relay', 'startRelay').sort()).toEqual([
    // A resume, which starts nothing: docs/decisions/066-work-at-night.md.
    'lib/portal/jobs/night-runs.ts',
    'lib/portal/jobs/relay/resume.ts',
    'lib/portal/jobs/start.ts',
  ])
})

test('a screen reaches upstream services only through the spine', () => {
  const forbidden = /^lib\/portal\/(custody|upstream)\/|^undici$|^node:https?$/
  const wrong = readImports().filter(({ from, to }) => from.startsWith('app/') && forbidden.test(to))
  expect(wrong).toEqual([])
})
