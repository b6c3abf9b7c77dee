/** Where somebody reaches, as a row of the table says it. */
import { expect, test } from 'vitest'
import { toReachRow } from '@/app/(portal)/reach/row'
import type { ReachLine } from '@/lib/portal/views/reach/lines'

const whereOf = (given: Pick<ReachLine, 'places' | 'hidden' | 'everything'>): string =>
  toReachRow({ ...given, role: 'operator' } as ReachLine).where

const server = (name: string) => ({ kind: 'server' as const, id: name, name })
const site = (name: string) => ({ kind: 'site' as const, id: name, name })

test('a few places are named, and of many the first, with how many there are', () => {
  expect(whereOf({ places: [server('web-1'), site('shop.example')], hidden: 0, everything: false })).toBe('web-1, shop.example')
  const many = [server('web-1'), ...Array.from({ length: 7 }, (_, index) => site(`s${index}.example`))]
  const named = 'web-1, s0.example, s1.example, …'
  expect(whereOf({ places: many, hidden: 0, everything: false })).toBe(`1 server and 7 sites: ${named}`)
  expect(whereOf({ places: many, hidden: 2, everything: false })).toBe(`1 server and 7 sites: ${named}, 2 more that you cannot see`)
})

test('all servers and sites are called so, also where there is one server', () => {
  const many = [server('web-1'), ...Array.from({ length: 7 }, (_, index) => site(`s${index}.example`))]
  expect(whereOf({ places: many, hidden: 0, everything: true })).toMatch(/^all servers and sites \(1 server and 7 sites\): web-1, /)
  expect(whereOf({ places: [], hidden: 0, everything: true })).toBe('all servers and sites, none yet')
})
