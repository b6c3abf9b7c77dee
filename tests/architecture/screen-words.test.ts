/** What people read is in plain product words: no string of app or lib holds a phrase that was replaced. */
import { readdirSync, readFileSync } from 'node:fs'
import { parseSync } from '@swc/core'
import { expect, test } from 'vitest'
import { phrases } from './screen-phrases'

/** String literals, template parts and JSX text anywhere below a node of the syntax tree; comments are not part of it. */
function textsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsIn)
  if (typeof node !== 'object' || node === null) return []
  if ('type' in node && node.type === 'ImportDeclaration') return []
  const own = 'type' in node && isText(node.type) ? [textOf(node)] : []
  return [...own, ...Object.values(node).flatMap(textsIn)]
}

const isText = (type: unknown): boolean => type === 'StringLiteral' || type === 'JSXText' || type === 'TemplateElement'

function textOf(node: object): string {
  const value = 'value' in node ? node.value : 'cooked' in node ? node.cooked : ''
  return typeof value === 'string' ? value.replace(/\s+/g, ' ') : ''
}

const textsOf = (source: string, tsx: boolean): string[] => textsIn(parseSync(source, { syntax: 'typescript', tsx }).body)

const bashLines = (source: string): string[] => source.split('\n').filter((line) => !line.trim().startsWith('#'))

const patterns = Object.entries(phrases).map(
  ([phrase, better]) => [new RegExp(`(?<!\\w)${phrase.replace(/[.?()%]/g, '\\$&')}(?!\\w)`), phrase, better] as const,
)

const quaint = (text: string): string[] =>
  patterns.filter(([pattern]) => pattern.test(text)).map(([, phrase, better]) => `“${phrase}” in “${text.trim()}”: say “${better}”`)

const files = ['app', 'lib'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => `${root}/${name}`)
    .filter(
      (name) => /\.(tsx?|mjs|bash)$/.test(name) && !name.endsWith('.d.ts') && !name.startsWith('lib/portal/identity/common-passwords'),
    ),
)

test('no string of a screen, an error or a command holds a replaced phrase', () => {
  const found = files.flatMap((name) => {
    const source = readFileSync(name, 'utf8')
    const texts = name.endsWith('.bash') ? bashLines(source) : textsOf(source, name.endsWith('x'))
    return texts.flatMap(quaint).map((hit) => `${name}: ${hit}`)
  })
  expect(found).toEqual([])
})

test.each([
  ['a title', '<Notice title="Your role is to look on." />', 'You have view-only access.'],
  ['text over two lines', '<p>\n  Of several rules that fit, the first\n  decides.\n</p>', 'First matching rule wins.'],
  ['a template', `const says = \`\${name} could not be asked.\``, 'didn’t respond'],
  ['a sentence of the service', "const why = 'The service made an error of its own.'", 'Something went wrong in Gatehouse.'],
])('%s with such a phrase would be found', (_, source, better) => {
  expect(textsOf(source, true).flatMap(quaint)).toEqual([expect.stringContaining(`say “${better}”`)])
})

test('comments may hold it', () => {
  expect(textsOf('// Put away by itself.\nexport const x = 1', false).flatMap(quaint)).toEqual([])
})
