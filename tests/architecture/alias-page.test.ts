/** The page of a site's aliases is made of what all pages share, and little else. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = 'app/(portal)/sites/[siteId]/aliases'

test('the page of aliases has at most six files and 170 lines', () => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const lines = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8').trimEnd().split('\n').length)
  expect(files.length).toBeLessThanOrEqual(6)
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(170)
})
