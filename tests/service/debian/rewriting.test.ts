/** Addresses of one site become those of another, in whatever a database has: by the program that runs on a server, under PHP. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openChance, seededRuns } from '../../support/seeds'

const program = join(import.meta.dirname, '../../../lib/service/machines/debian/sites/staging/rewrite.php')
const fuzz = join(import.meta.dirname, 'rewriting.php')

const php = (...args: string[]): string => execFileSync('php', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })

const chance = openChance()

test(`serialized PHP and JSON, nested in each other, stay readable and get every address, SEED=${chance.seed}`, () => {
  expect(php(fuzz, program, String(chance.seed % 1_000_000), String(seededRuns(25_000)))).toBe('')
})

/** One value, as PHP prints it. */
const rewritten = (value: string): string =>
  php(
    '-r',
    `require $argv[1]; echo (new Addresses(['example.org', 'www.example.org'], 'http://staging.example.org', 'exampleorg3f9a', 'other1b2c'))->value($argv[2]);`,
    '--',
    program,
    value,
  )

test('lengths are of bytes, and formats of classes of their own stay as they are unless they are serialized themselves', () => {
  expect(rewritten('a:1:{s:3:"url";s:23:"ż https://example.org/";}')).toBe('a:1:{s:3:"url";s:30:"ż http://staging.example.org/";}')
  expect(rewritten('S:19:"https\\3a//example.org";')).toBe('s:26:"http://staging.example.org";')
  expect(rewritten('C:4:"Mine":19:{https://example.org}')).toBe('C:4:"Mine":19:{https://example.org}')
  expect(rewritten('C:4:"Mine":27:{s:19:"https://example.org";}')).toBe('C:4:"Mine":34:{s:26:"http://staging.example.org";}')
})

test('what only seems serialized is text, and the domain alone is replaced where it is the whole value', () => {
  expect(rewritten('s:999:"https://example.org";')).toBe('s:999:"http://staging.example.org";')
  expect(rewritten('example.org')).toBe('staging.example.org')
  expect(rewritten('mail to example.org')).toBe('mail to example.org')
})
