/** Identifiers are plain words of the field: a name that was replaced by a better one does not come back. */
import { readdirSync, readFileSync } from 'node:fs'
import { parseSync } from '@swc/core'
import { expect, test } from 'vitest'
import { renamedNames } from './renamed-names'

const betterNames = new Map(renamedNames)

/** All identifiers of a source text: of variables, types, members and attributes. Strings and comments hold none. */
function identifiersOf(text: string, file: string): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('type' in node && node.type === 'Identifier' && 'value' in node) found.add(String(node.value))
    for (const part of Object.values(node)) visit(part)
  }
  visit(parseSync(text, { syntax: 'typescript', tsx: file.endsWith('x') }))
  return found
}

/** One line per replaced name that is used as an identifier, with the better name. */
function findReplaced(text: string, file: string): string[] {
  const suspects = [...new Set(text.match(/[A-Za-z_]\w*/g))].filter((word) => betterNames.has(word))
  if (suspects.length === 0) return []
  const identifiers = identifiersOf(text, file)
  return suspects.filter((name) => identifiers.has(name)).map((name) => `${file}: ${name}, better ${betterNames.get(name)}`)
}

test('no identifier bears a name that was replaced', () => {
  const files = ['app', 'lib', 'tests'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|tsx|mjs)$/.test(name))
      .map((name) => `${folder}/${name}`),
  )
  expect(files.flatMap((file) => findReplaced(readFileSync(file, 'utf8'), file))).toEqual([])
})

test.each([
  ['const knocked = 1', 'x.ts', 'knocked'],
  ['export type TakingBack = { id: string }', 'x.ts', 'TakingBack'],
  ['function run({ againAt }: Read) {}', 'x.ts', 'againAt'],
  ['const read = { findLapse }', 'x.ts', 'findLapse'],
  ['type Read = { againAt: number }', 'x.ts', 'againAt'],
  ["import { lateComponent } from './lazy'", 'x.ts', 'lateComponent'],
  ['const Line = () => <ReadTrouble read={read} />', 'x.tsx', 'ReadTrouble'],
])('one that does is found: %s', (text, file, name) => {
  expect(findReplaced(text, file)).toEqual([`${file}: ${name}, better ${betterNames.get(name)}`])
})

test('strings and comments are not identifiers', () => {
  expect(findReplaced("// knocked\nconst text = 'againAt' // TakingBack", 'x.ts')).toEqual([])
})

test('no name is replaced by one that was replaced itself', () => {
  expect(renamedNames.filter(([old, better]) => old === better || betterNames.has(better))).toEqual([])
})
