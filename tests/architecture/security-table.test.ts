import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The test files that carry a number of the study in a title, by number. */
function findNumbers(): Map<number, string[]> {
  const found = new Map<number, string[]>()
  for (const name of readdirSync('tests', { recursive: true, encoding: 'utf8' }).sort()) {
    if (!name.endsWith('.ts') || name === join('architecture', 'security-table.test.ts')) continue
    const file = join('tests', name)
    const numbers = new Set([...readFileSync(file, 'utf8').matchAll(/['"`]security (\d+):/g)].map(([, number]) => Number(number)))
    for (const number of numbers) found.set(number, [...(found.get(number) ?? []), file])
  }
  return found
}

/** The rows of SECURITY.md's table: number to the files it names. */
function readTable(): Map<number, string[]> {
  const rows = readFileSync('SECURITY.md', 'utf8').matchAll(/^\| (\d+) \|[^|]*\|([^|]*)\|$/gm)
  return new Map(
    [...rows].map(([, number, files = '']) => [Number(number), [...files.matchAll(/`(tests\/[^`]+)`/g)].map(([, file = '']) => file)]),
  )
}

test('SECURITY.md names for each number of the study exactly the files whose tests carry it', () => {
  const [found, table] = [findNumbers(), readTable()]
  expect([...table.keys()]).toEqual([...found.keys()].sort((a, b) => a - b))
  for (const [number, files] of table) expect([number, [...files].sort()]).toEqual([number, found.get(number)])
})

test('each number about signing in, sessions and members has a test', () => {
  const found = findNumbers()
  for (let number = 12; number <= 21; number += 1) expect([number, found.get(number) ?? []]).not.toEqual([number, []])
})
