/** The license files that a release gets, from what is installed. */
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listLicenses } from '@/lib/release/licenses.mjs'

test('bundled packages, packages with a scope and what Next has compiled come with their licenses, packages of development do not', () => {
  const licenses = listLicenses()
  const packages = new Set([...licenses.keys()].map((path) => /^licenses\/((?:@[^/]+\/)?[^/]+)@/.exec(path)?.[1]))
  for (const name of ['zod', 'react', 'lucide-react', '@hono/node-server', '@swc/helpers', 'next']) expect(packages).toContain(name)
  for (const name of ['vitest', 'knip', undefined]) expect(packages).not.toContain(name)
  expect(licenses.get('licenses/zod@4.6.7/LICENSE')).toBe('node_modules/zod/LICENSE')
  expect([...licenses.keys()].filter((path) => path.includes('/dist/compiled/')).length).toBeGreaterThan(20)
  expect([...licenses.values()].filter((file) => !existsSync(file))).toEqual([])
})
