/** Files of bash name those whose functions they call: what one forgets would be missing in the script that a server gets. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { joinBash, listParts, sourcesOf } from '@/lib/service/bash'

const root = new URL('../../../lib/service/machines/debian/', import.meta.url)
const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.bash'))
const textOf = (name: string) => readFileSync(new URL(name, root), 'utf8')

const functionsOf = (text: string): string[] => [...text.matchAll(/^([a-z_][a-z0-9_]*)\(\)/gm)].map(([, name = '']) => name)

/** Words where a command begins, or that are handed to one as the name of a function: those with an underscore. */
const commandsOf = (text: string): Set<string> => {
  const lines = text.replaceAll(/^\s*#.*$/gm, '').replaceAll(/<<'(\w+)'.*\n[\s\S]*?\n\1$/gm, '')
  const begins = /(?<=^[ \t]*|[;&|({!][ \t]*|\b(?:then|do|else|if|while|until|elif)[ \t]+)([a-z_][a-z0-9_]*)(?=[\s;)&|]|$)/gm
  return new Set([...lines.matchAll(begins), ...lines.matchAll(/ ([a-z]+_[a-z0-9_]+)(?=[\s;)]|$)/gm)].map(([, word = '']) => word))
}

/** What each script has in its own way, so its name says nothing about where it comes from; and words of awk, SQL and others that look like a call. */
const manyHave = new Set(['main', 'advance', 'recover', 'say', 'restore', 'simulate', 'take'])
const others = new Set(['end', 'rotate', 'table_name', 'not_installed', 'outdated_sites'])

const known = new Map<string, string>()
for (const name of names) for (const each of functionsOf(textOf(name))) known.set(each, name)

test.each(names)('%s names each file whose functions it calls', (name) => {
  const text = textOf(name)
  const there = new Set(listParts(root, [name]).flatMap((part) => functionsOf(part.text)))
  const missing = [...commandsOf(text)].filter((word) => known.has(word) && !there.has(word) && !manyHave.has(word) && !others.has(word))
  expect(missing.map((word) => `${word} of ${known.get(word)}`)).toEqual([])
})

test('a call of a function that no named file has is found', () => {
  expect([
    ...commandsOf('one; two | three "$(four)" # five\nif six; then seven eight_nine; fi\n  # ten\nlocal eleven=$(twelve x)'),
  ]).toEqual(expect.arrayContaining(['one', 'two', 'three', 'four', 'six', 'seven', 'eight_nine', 'twelve']))
})

test('each script that runs at once fits into one argument of a program, which Linux limits to 128 KB; jobs are files', () => {
  const named = new Set(names.flatMap((name) => sourcesOf(textOf(name))))
  const scripts = names.filter((name) => !named.has(name) && !/^(sites\/jobs|steps|upgrade)\//.test(name))
  const bytesOf = (name: string) => Buffer.byteLength(joinBash(root, [name]))
  expect(scripts.filter((name) => bytesOf(name) > 120_000)).toEqual([])
})
