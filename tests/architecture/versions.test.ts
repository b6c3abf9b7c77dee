import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pinnedNode } from '../../lib/release/pinned-node.mjs'
import { nodeVersions } from '../run/node-turns.mjs'

/**
 * The lowest version of each that holds the fixes of its published advisories. Next: those up to October 2026 (among them
 * CVE-2025-55182, CVE-2025-29927 and CVE-2026-94482); next-auth: CVE-2026-73419 and -73420; undici: CVE-2026-6733;
 * ssh2: strict key exchange. A new advisory raises its line.
 */
const floors: Readonly<Record<string, string>> = {
  next: '16.4.2',
  react: '19.2.6',
  'react-dom': '19.2.6',
  'next-auth': '4.24.15',
  undici: '7.30.2',
  ssh2: '1.17.0',
  '@node-rs/argon2': '2.2.1',
  'ipaddr.js': '2.5.0',
  pino: '10.0.0',
  zod: '4.0.0',
}

type Locked = { version: string; resolved?: string; integrity?: string; link?: boolean }

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> }
const installed = Object.entries(packages).filter(([place]) => place !== '')
const nameOf = (place: string) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)

const numbers = (version: string) => version.split(/[.-]/).slice(0, 3).map(Number)

/** Whether a version is at least another one. What comes before a release does not count as that release. */
function isAtLeast(version: string, floor: string): boolean {
  const [given, least] = [numbers(version), numbers(floor)]
  const at = least.findIndex((number, index) => number !== given[index])
  return at === -1 ? !version.includes('-') : (given[at] ?? -1) > (least[at] ?? 0)
}

test.each([
  ['16.4.2', '16.4.2', true],
  ['16.4.10', '16.4.9', true],
  ['16.10.0', '16.4.2', true],
  ['17.0.0', '16.4.2', true],
  ['16.4.1', '16.4.2', false],
  ['16.3.9', '16.4.2', false],
  ['15.9.9', '16.4.2', false],
  ['16.4.2-canary.1', '16.4.2', false],
])('version %s is at least %s: %s', (version, floor, expected) => {
  expect(isAtLeast(version, floor)).toBe(expected)
})

test.each(Object.entries(floors))('every %s that is installed is at least %s', (name, floor) => {
  const versions = installed.filter(([place]) => nameOf(place) === name).map(([, { version }]) => version)
  expect(versions.length).toBeGreaterThan(0)
  expect(versions.filter((version) => !isAtLeast(version, floor))).toEqual([])
})

test('every package is pinned to a version and its hash, and none comes from outside the registry', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, range]) => !/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(String(range)),
  )
  expect(loose).toEqual([])
  const odd = installed.filter(
    ([, { resolved = 'https://', integrity }]) => !resolved.startsWith('https://') || !integrity?.startsWith('sha512-'),
  )
  expect(odd.map(([place]) => place)).toEqual([])
})

test('the Node inside a release is one that the tests run on, and the one that SECURITY.md names', () => {
  expect(nodeVersions).toContain(pinnedNode.version)
  expect(readFileSync('SECURITY.md', 'utf8')).toContain(`A release brings its own Node, ${pinnedNode.version},`)
})
