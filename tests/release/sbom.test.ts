/** What npm says of the dependencies, against the lockfile. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { writeSbom } from '@/lib/release/sbom.mjs'

type Part = { 'bom-ref'?: string; name: string; version: string }

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, { name?: string; version: string; dev?: true }>
}
const sbom = JSON.parse(writeSbom({ version: '1.2.3', seconds: 0 })) as {
  components: Part[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

test('the list has Node and each production dependency of the lockfile, also those that development uses too, and no other', () => {
  const production = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev)
  const wanted = production.map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`)
  const named = sbom.components.map(({ name, version }) => `${name}@${version}`).filter((name) => !name.startsWith('node@'))
  expect([...new Set(named)].sort()).toEqual([...new Set(wanted)].sort())
  expect(named).toEqual(expect.arrayContaining(['zod@4.6.7', 'vary@1.1.2', '@swc/helpers@0.5.23']))
  expect(named).not.toContain('vitest@4.1.10')
  expect(sbom.components.at(-1)).toMatchObject({ name: 'node' })
})

test('what depends on what names only parts of the list', () => {
  const refs = new Set(['gatehouse@1.2.3', ...sbom.components.flatMap((part) => part['bom-ref'] ?? [])])
  const named = sbom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn])
  expect(named.length).toBeGreaterThan(500)
  expect(named.filter((ref) => !refs.has(ref))).toEqual([])
})

test('each part has a name for what depends on it, and Gatehouse depends on Node', () => {
  const refs = sbom.components.map((part) => part['bom-ref'])
  expect(refs).not.toContain(undefined)
  expect(new Set(refs).size).toBe(refs.length)
  const own = sbom.dependencies.find(({ ref }) => ref === 'gatehouse@1.2.3')
  expect(own?.dependsOn).toContain(sbom.components.find(({ name }) => name === 'node')?.['bom-ref'])
  expect(sbom.dependencies.length).toBe(refs.length + 1)
})
