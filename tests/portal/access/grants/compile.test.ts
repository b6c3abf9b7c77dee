/** Compiled rights, compared with a walk through all grants, and at the edges. */
import { expect, test } from 'vitest'
import { contract, operations } from '@/lib/contract'
import { compileRight, isAllowed, isSeen, seesAnything } from '@/lib/portal/access/grants/compile'
import type { Grant, Place } from '@/lib/portal/access/grants/grant'
import { needOf } from '@/lib/portal/access/grants/needs'
import { askableIdOf } from '@/lib/portal/subjects/team/requests/askable'
import { openChance } from '@/tests/support/seeds'
import { oracleAllows, oracleSees } from './oracle'
import { makeCase, needs, places } from './random'

const oracleCases = 10_000

test(`in ${oracleCases} random teams, the compiled right answers as a walk through all grants does`, () => {
  const chance = openChance()
  const answers = { allowed: 0, refused: 0, seen: 0, hidden: 0 }
  for (let run = 0; run < oracleCases; run += 1) {
    const given = makeCase(chance)
    const right = compileRight(given.grantee, given.grants, given.labels, given.now)
    const [need, place] = [chance.pick(needs), chance.pick(places)]
    const [allowed, seen] = [isAllowed(right, need, place), isSeen(right, place)]
    const expected = [oracleAllows(given, need, place), oracleSees(given, needs, place)]
    if (allowed !== expected[0] || seen !== expected[1] || (allowed && !seen) || (seen && !seesAnything(right))) {
      expect.fail(`SEED=${chance.seed}, run ${run}: ${JSON.stringify({ allowed, seen, expected, need, place, given })}`)
    }
    answers[allowed ? 'allowed' : 'refused'] += 1
    answers[seen ? 'seen' : 'hidden'] += 1
  }
  process.stdout.write(`SEED=${chance.seed}: ${JSON.stringify(answers)}\n`)
  expect(Math.min(...Object.values(answers)), `SEED=${chance.seed}`).toBeGreaterThan(oracleCases / 20)
})

const grant: Grant = {
  id: 'grant',
  userId: 'person0',
  role: null,
  scopes: [{ kind: 'site', id: 'site1' }],
  subjects: ['logs', 'backups'],
  effects: ['read'],
  operations: [],
  root: false,
  from: 1_000,
  until: 2_000,
}
const guest = { userId: 'person0', role: 'guest' } as const
const site: Place = { kind: 'site', siteId: 'site1', serverId: 'server1' }
const server: Place = { kind: 'server', serverId: 'server1' }
const { logs, backups, sites: siteOperations } = contract

test('a grant is valid from its first millisecond until the one before its end, and the right says when it changes', () => {
  const at = (now: number) => compileRight(guest, [grant], [], now)
  const read = needOf(logs.fetchSite)
  expect([999, 1_000, 1_999, 2_000].map((now) => isAllowed(at(now), read, site))).toEqual([false, true, true, false])
  expect([999, 1_000, 1_999, 2_000].map((now) => at(now).changesAt)).toEqual([1_000, 2_000, 2_000, Number.POSITIVE_INFINITY])
})

test('an archive of a site is downloaded by whoever may download its backups, as by whoever may download its settings, and asked for as a backup', () => {
  const need = needOf(siteOperations.download)
  const download = (subjects: string[], effects: Grant['effects']) =>
    isAllowed(compileRight(guest, [{ ...grant, subjects, effects }], [], 1_500), need, site)
  expect([download(['backups'], ['export']), download(['sites'], ['export'])]).toEqual([true, true])
  expect([download(['backups'], ['read', 'change', 'destroy']), download(['logs'], ['export'])]).toEqual([false, false])
  expect(askableIdOf(siteOperations.download)).toBe('backups export')
})

test('a grant over a site includes what it names there, and nothing of its server or of other sites', () => {
  const right = compileRight(guest, [grant], [], 1_500)
  expect(isAllowed(right, needOf(backups.list), site)).toBe(true)
  expect(isAllowed(right, needOf(backups.create), site)).toBe(false)
  expect(isAllowed(right, needOf(siteOperations.summary), site)).toBe(false)
  expect(isAllowed(right, needOf(logs.fetch), server)).toBe(false)
  expect([site, server, { ...site, siteId: 'site2' }].map((place) => isSeen(right, place))).toEqual([true, false, false])
})

test('a grant over a server includes its sites, and only with root what amounts to root', () => {
  const over: Grant = { ...grant, scopes: [{ kind: 'server', id: 'server1' }], subjects: 'all', effects: ['read', 'change'] }
  const allowed = (given: Grant, role: 'guest' | 'viewer' = 'guest') => {
    const right = compileRight({ ...guest, role }, [given], [], 1_500)
    return [logs.fetch, contract.servers.reboot, contract.users.save, contract.cron.save].map((each) =>
      isAllowed(right, needOf(each), server),
    )
  }
  expect(isAllowed(compileRight(guest, [over], [], 1_500), needOf(backups.create), site)).toBe(true)
  expect(allowed(over)).toEqual([true, true, false, false])
  expect(allowed({ ...over, root: true })).toEqual([true, true, true, true])
  expect(allowed({ ...over, root: true }, 'viewer')).toEqual([true, false, false, false])
})

test('the operations that amount to root are these', () => {
  expect(operations.filter(({ root }) => root).map(({ id }) => id)).toEqual([
    'servers.install',
    'servers.upgrade',
    'servers.revertUpgrade',
    'servers.resetKey',
    'cron.save',
    'cron.delete',
    'users.save',
    'users.delete',
    'firewall.toggle',
    'firewall.saveRule',
    'firewall.deleteRule',
  ])
})
