/** The spine knows policies, not operations: no id of one is named or compared where every operation passes through. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { operations } from '@/lib/contract'

/** What every operation passes through, each file by a function that it is known by. */
const passages = [
  'createSpine',
  'runHooks',
  'guardedAction',
  'admit',
  'callConnection',
  'prepareRequest',
  'portalAction',
  'decide',
  'refuseUnconfirmed',
  'startJob',
]

const portalFiles = readdirSync('lib/portal', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(`lib/portal/${name}`, 'utf8'))

function fileOf(name: string): string {
  const found = portalFiles.filter((text) => new RegExp(`^export (async )?function ${name}\\b`, 'm').test(text))
  expect([name, found.length]).toEqual([name, 1])
  return found[0] ?? ''
}

const ids = operations.map(({ id }) => id.replace('.', '\\.')).join('|')

const naming = [
  new RegExp(`['"\`](${ids})['"\`]`),
  /\boperation\??\.id\s*[!=]==?|[!=]==?\s*operation\??\.id\b/,
  /^import (?!type\b).* from '@\/lib\/contract(\/index|\/operations\/[\w-]+)?'/,
]

const names = (line: string): boolean => naming.some((pattern) => pattern.test(line))

test.each(passages)('the file of %s names no operation', (name) => {
  expect(fileOf(name).split('\n').filter(names)).toEqual([])
})

test.each([
  "const needsFreshSignIn = new Set(['servers.resetKey'])",
  "if (operation.id === 'sites.create') return fields",
  'if (operation.id !== known.id) return null',
  "import { servers } from '@/lib/contract/operations/servers'",
  "import { contract } from '@/lib/contract'",
])('one that did would be found: %s', (line) => {
  expect(names(line)).toBe(true)
})
