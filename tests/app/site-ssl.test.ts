/** What the SSL page of a site makes of the service's answers. */
import { expect, test } from 'vitest'
import { findObstacle, nameRows, needsRecords } from '@/app/(portal)/sites/[siteId]/ssl/name-rows'

const settings = { domain: 'a.example', ssl: true }
const ready = (name: string) => ({ name, result: 'ready', reason: '' }) as const
const blocked = (name: string) => ({ name, result: 'blocked', reason: `${name} has no address.` }) as const

test('the names that need something come first, then the domain', () => {
  const rows = nameRows({
    ...settings,
    names: ['a.example', 'b.example', 'c.example', 'd.example', 'e.example'],
    covered: ['a.example', 'b.example'],
    left_out: [{ name: 'c.example', reason: 'It did not answer.' }],
    checks: [
      ready('a.example'),
      ready('b.example'),
      ready('c.example'),
      { name: 'd.example', result: 'warning', reason: 'It leads elsewhere.' },
      blocked('e.example'),
    ],
  })
  expect(rows).toEqual([
    { id: 'e.example', certificate: '', check: 'blocked', reasons: ['e.example has no address.'] },
    { id: 'c.example', certificate: 'left-out', check: 'ready', reasons: ['It did not answer.'] },
    { id: 'd.example', certificate: '', check: 'warning', reasons: ['It leads elsewhere.'] },
    { id: 'a.example', certificate: 'covered', check: 'ready', reasons: [] },
    { id: 'b.example', certificate: 'covered', check: 'ready', reasons: [] },
  ])
})

test('a reason that is the same twice is listed once, and a name that only the certificate has is listed', () => {
  const { reason } = blocked('b.example')
  const rows = nameRows({
    ...settings,
    covered: ['old.example'],
    left_out: [{ name: 'b.example', reason }],
    checks: [blocked('b.example')],
  })
  expect(rows.map(({ id, reasons }) => [id, reasons])).toEqual([
    ['b.example', [reason]],
    ['a.example', []],
    ['old.example', []],
  ])
})

test('a service that tells only whether SSL is on has no names to show, and nothing that is known to be missing', () => {
  expect(nameRows(settings)).toEqual([])
  expect([findObstacle(settings), needsRecords(settings)]).toEqual([null, false])
})

test('only the domain of the site keeps SSL from being switched on', () => {
  expect(findObstacle({ ...settings, checks: [ready('a.example'), blocked('b.example')] })).toBeNull()
  expect(findObstacle({ ...settings, checks: [blocked('a.example')] })).toBe('a.example has no address.')
  expect(needsRecords({ ...settings, checks: [ready('a.example'), blocked('b.example')] })).toBe(true)
  expect(needsRecords({ ...settings, checks: [ready('a.example')] })).toBe(false)
})
