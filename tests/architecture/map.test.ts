/** ARCHITECTURE.md has a map of every folder, and the map names no folder that is gone. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'

/** Made by tools and by the tests themselves, so not in version control. */
const generated = /(^|\/)(generated|__pycache__)(\/|$)|^tests\/output(\/|$)/

/** The folders named in the first column of the map's tables; a trailing `/**` covers what is below. */
const mapOf = (text: string): string[] => {
  const map = text.slice(text.indexOf('\n## Map\n'), text.indexOf('\n## The layers of lib/portal\n'))
  return [...map.matchAll(/^\| `([^`]+)` \|/gm)].map(([, folder = '']) => folder)
}

/** Folders that hold files themselves. */
const foldersOf = (root: string): string[] => {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return [...new Set(files.map(({ parentPath }) => parentPath))].filter((folder) => !generated.test(folder))
}

/** The folders that no entry names or covers. */
function findUnmapped(entries: readonly string[], folders: readonly string[]): string[] {
  const covers = (folder: string): boolean =>
    entries.includes(folder) || [folder, ...parentsOf(folder)].some((parent) => entries.includes(`${parent}/**`))
  return folders.filter((folder) => !covers(folder))
}

const parentsOf = (folder: string): string[] => {
  const parent = dirname(folder)
  return parent === '.' ? [] : [parent, ...parentsOf(parent)]
}

const map = mapOf(readFileSync('ARCHITECTURE.md', 'utf8'))

test.each(['app', 'lib', 'host', 'deploy', 'docs', 'prisma', 'tests'])('every folder of %s is on the map', (root) => {
  expect(findUnmapped(map, foldersOf(root))).toEqual([])
})

test('every folder on the map exists', () => {
  expect(map.filter((folder) => !existsSync(folder.replace(/\/\*\*$/, '')))).toEqual([])
})

test('a folder that is missing from the map would be found', () => {
  expect(findUnmapped(['lib', 'tests/portal/**'], ['lib', 'lib/new', 'tests/portal/access'])).toEqual(['lib/new'])
})
