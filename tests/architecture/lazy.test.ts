/** Parts of pages that are loaded later: with one static import of such a part, every reader of the page loads it first. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const files = readdirSync('app', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => join('app', name))

const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))

function resolve(from: string, name: string): string[] {
  const path = name.startsWith('@/') ? name.slice(2) : join(dirname(from), name)
  return [`${path}.ts`, `${path}.tsx`].filter((each) => existsSync(each))
}

/** An import of types alone loads nothing. */
const loadsNothing = (what = ''): boolean => /^type\b/.test(what) || /^\{(\s*type \w+( as \w+)?,?)+\s*\} from $/.test(what)

const importsOf = (file: string): string[] =>
  [...(texts.get(file) ?? '').matchAll(/^(?:import|export) ([^'";=]*? from )?'([^']+)'/gm)].flatMap(([, what, name = '']) =>
    loadsNothing(what) ? [] : resolve(file, name),
  )

/** Whatever is loaded with a file. */
function loadedWith(file: string): ReadonlySet<string> {
  const loaded = new Set([file])
  for (const each of loaded) for (const other of importsOf(each)) loaded.add(other)
  return loaded
}

const lazyParts = files.flatMap((file) =>
  [...(texts.get(file) ?? '').matchAll(/\bimport\('([^']+)'\)/g)].flatMap(([, name = '']) =>
    resolve(file, name).map((part) => ({ file, part })),
  ),
)

test('there are parts that are loaded later', () => {
  expect(lazyParts.length).toBeGreaterThan(10)
})

test.each(lazyParts)('$file loads $part later only', ({ file, part }) => {
  expect([...loadedWith(file)]).not.toContain(part)
})

test('no page loads first what dialogs and menus are made of', () => {
  const first = files
    .filter((file) => /(^|\/)(page|layout|error|not-found|global-error)\.tsx$/.test(file))
    .flatMap((file) => [...loadedWith(file)])
  expect(first.length).toBeGreaterThan(100)
  const late = /^import (?!type\b)[^'"]*? from 'radix-ui\//m
  expect([...new Set(first)].filter((file) => late.test(texts.get(file) ?? ''))).toEqual([])
})
