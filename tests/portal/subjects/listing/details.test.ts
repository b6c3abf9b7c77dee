/** What list items only show: written and read through one schema. */
import { expect, test } from 'vitest'
import * as z from 'zod'
import { createDetails } from '@/lib/portal/subjects/listing/details'

const details = createDetails(z.object({ php: z.string().catch(''), files: z.number().nullable().catch(null) }))
const unknown = { php: '', files: null }

test('what is written is read again, and nothing else is written', () => {
  const given = { php: '8.4 “\u2028”', files: 7, other: 'a' }
  expect(details.write(given)).toBe('{"php":"8.4 “\u2028”","files":7}')
  expect(details.read(details.write(given))).toEqual({ php: '8.4 “\u2028”', files: 7 })
})

test('what does not fit is unknown, member by member', () => {
  expect(details.read('{"php":7,"files":3,"other":1}')).toEqual({ php: '', files: 3 })
  for (const stored of ['', '{', 'null', '[]', '"text"', '{}']) expect([stored, details.read(stored)]).toEqual([stored, unknown])
})
