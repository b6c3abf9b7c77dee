/** What is written down of an upgrade, what becomes of an interrupted one, and which releases stay. */
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addToHistory, findUpgrade, readHistory, removeOldReleases } from '@/lib/upgrade/history'
import { findInstallation, type Installation, readCurrent, switchTo } from '@/lib/upgrade/installation'
import { checkRoom, listNeeds } from '@/lib/upgrade/room'
import { splitEnvironment } from '@/lib/upgrade/runner-systemd'
import { decide, readState, removeState, type State, steps, writeState } from '@/lib/upgrade/state'
import { parseShown } from '@/lib/upgrade/systemctl'

let dir = ''
let installation: Installation
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gatehouse-state-'))
  for (const version of ['1.0.0', '1.1.0', '1.2.0', '1.3.0']) mkdirSync(join(dir, 'releases', version), { recursive: true })
  symlinkSync('releases/1.0.0', join(dir, 'current'))
  installation = findInstallation(join(dir, 'releases/1.0.0'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const makeState = (changes: Partial<State> = {}): State => ({
  format: 1,
  kind: 'upgrade',
  from: '1.0.0',
  to: '1.1.0',
  step: 'starting',
  at: '2026-11-27T10:00:00.000Z',
  running: true,
  copies: {},
  restores: {},
  touched: true,
  ...changes,
})

test('a release outside of such a place cannot be upgraded', () => {
  const elsewhere = join(dir, 'elsewhere/gatehouse')
  mkdirSync(elsewhere, { recursive: true })
  expect(() => findInstallation(elsewhere)).toThrow('is not installed where it can be upgraded')
  rmSync(join(dir, 'current'))
  expect(() => findInstallation(join(dir, 'releases/1.0.0'))).toThrow('is not installed where it can be upgraded')
})

test('the state is there until it is removed, and the older version can undo it', () => {
  expect(readState(installation)).toBe(null)
  const state = makeState({ copies: { portal: '/data/portal.db.before' } })
  writeState(installation, state)
  expect(readState(installation)).toEqual(state)
  expect(readlinkSync(installation.undo)).toBe('releases/1.0.0')
  writeState(installation, makeState({ kind: 'rollback', from: '1.1.0', to: '1.0.0' }))
  expect(readlinkSync(installation.undo)).toBe('releases/1.0.0')
  removeState(installation)
  expect(readState(installation)).toBe(null)
  expect(lstatSync(installation.undo, { throwIfNoEntry: false })).toBe(undefined)
  writeFileSync(join(dir, 'upgrade.json'), '{"format":2}')
  expect(() => readState(installation)).toThrow('cannot be read')
})

test('only a version that was ready is kept; whatever was interrupted before is undone', () => {
  for (const step of steps) expect(decide(makeState({ step }), true)).toBe(step === 'starting' ? 'finish' : 'undo')
  for (const step of steps) expect(decide(makeState({ step }), false)).toBe('undo')
})

test('current changes in one step', () => {
  switchTo(installation, '1.2.0')
  expect(readCurrent(installation)).toBe('1.2.0')
  expect(readdirSync(dir).sort()).toEqual(['current', 'releases'])
})

test('three releases stay, among them the present one and the one that a rollback leads to, and copies go with theirs', () => {
  const copy = (name: string) => {
    writeFileSync(join(dir, name), '')
    return join(dir, name)
  }
  const [old, useful] = [copy('old'), copy('useful')]
  addToHistory(installation, makeState({ from: '0.9.0', to: '1.0.0', copies: { portal: old } }))
  addToHistory(installation, makeState({ from: '1.0.0', to: '1.3.0', at: '2026-11-27T11:00:00.000Z', copies: { portal: useful } }))
  expect(findUpgrade(installation)).toBe(null)
  switchTo(installation, '1.3.0')
  const removed = removeOldReleases(installation)
  expect(removed).toHaveLength(1)
  expect(readdirSync(installation.releases)).toHaveLength(3)
  expect(readdirSync(installation.releases)).toEqual(expect.arrayContaining(['1.0.0', '1.3.0']))
  expect([existsSync(old), existsSync(useful)]).toEqual([false, true])
  expect(readHistory(installation).map(({ from }) => from)).toEqual(['1.0.0'])
  expect(findUpgrade(installation)).toMatchObject({ from: '1.0.0', copies: { portal: useful } })
  rmSync(join(dir, 'releases/1.0.0'), { recursive: true })
  expect(findUpgrade(installation)).toBe(null)
})

test('an interrupted end that is repeated is in the history once', () => {
  addToHistory(installation, makeState())
  addToHistory(installation, makeState())
  expect(readHistory(installation)).toHaveLength(1)
})

test('too little disk is refused with the numbers', () => {
  writeFileSync(join(dir, 'portal.db'), 'x'.repeat(1000))
  const needs = listNeeds(installation.releases, 200_000_000, [join(dir, 'portal.db'), join(dir, 'missing.db')])
  expect(needs.map(({ bytes }) => bytes)).toEqual([200_000_000, 4000])
  expect(checkRoom(needs)).toMatch(/^\d+ MB of disk free \(.*\), 301 MB needed; \d+ MB of memory available, 150 MB needed\.$/)
  expect(() => checkRoom([{ folder: dir, bytes: 1e18 }])).toThrow(/has \d+ MB free, and the upgrade needs 1000000000100 MB/)
})

test('properties of units are read as systemctl prints them', () => {
  const shown = 'ActiveState=active\nEnvironmentFiles=/etc/one.env (ignore_errors=yes)\nEnvironmentFiles=/etc/two.env (ignore_errors=no)\n'
  expect(parseShown(shown, ['ActiveState', 'EnvironmentFiles', 'User'])).toEqual({
    ActiveState: 'active',
    EnvironmentFiles: '/etc/one.env (ignore_errors=yes)\n/etc/two.env (ignore_errors=no)',
    User: '',
  })
  expect(splitEnvironment('GATEHOUSE_DATA=/var/lib/g "MAIL_FROM=Gatehouse <a@b>" "Q=a \\"b\\" = c"')).toEqual([
    ['GATEHOUSE_DATA', '/var/lib/g'],
    ['MAIL_FROM', 'Gatehouse <a@b>'],
    ['Q', 'a "b" = c'],
  ])
})
