/** What a form holds a field to comes from the contract, and stands nowhere else. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { limitsOf } from '@/app/_shared/forms/field-limits'
import { accountPassword, cronTime, hostname, note, port } from '@/lib/contract/fields'
import { operations } from '@/lib/contract/index'

test('a form takes lengths and ranges, and leaves patterns to the service', () => {
  expect(limitsOf(note)).toEqual({ maxLength: note.maxLength })
  expect(limitsOf(hostname)).toEqual({ maxLength: hostname.maxLength })
  expect(limitsOf(accountPassword)).toEqual({ minLength: accountPassword.minLength })
  expect(limitsOf(cronTime)).not.toHaveProperty('pattern')
  expect(limitsOf(port)).toEqual({ pattern: '[0-9]{1,5}', title: 'Enter a number from 1 to 65535.', inputMode: 'numeric' })
})

/** A box that sends a field of an operation, beside a length of its own. */
const fieldNames = new Set(operations.flatMap(({ fields }) => Object.keys(fields)))

function literalLimits(text: string): string[] {
  const boxes = text.match(/<(Field|Input)\b[^>]*?\bname="\w+"[\s\S]*?<Input\b[\s\S]*?\/>|<Input\b[^>]*?\bname="\w+"[\s\S]*?\/>/g) ?? []
  return boxes.filter((box) => {
    const name = /\bname="(\w+)"/.exec(box)?.[1] ?? ''
    return fieldNames.has(name) && /\b(maxLength|minLength|min|max)=\{\d|\bpattern="/.test(box)
  })
}

const screens = readdirSync('app/(portal)/servers', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'))

test.each(screens)('%s writes no limit of an operation’s field', (file) => {
  expect(literalLimits(readFileSync(`app/(portal)/servers/${file}`, 'utf8'))).toEqual([])
})

test('one that did would be found', () => {
  expect(literalLimits('<Field name="user" label="User">{(c) => <Input {...c} maxLength={32} />}</Field>')).toHaveLength(1)
  expect(literalLimits('<Input name="log" required maxLength={300} />')).toHaveLength(1)
  expect(literalLimits('<Input type="search" maxLength={200} />')).toEqual([])
})
