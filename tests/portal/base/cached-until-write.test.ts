/** Readings that stand while nothing is written. */
import { expect, test } from 'vitest'
import { cachedUntilWrite, noteArrival } from '@/lib/portal/base/cached-until-write'
import { nextTurn } from '@/lib/portal/base/turns'
import { testEngine } from '../../support/engine'
import { openPortalDatabase, runBeside } from '../../support/portal-database'
import { runSql } from '../../support/sqlite-file'

const counted = (values: unknown[]) => {
  let reads = 0
  return {
    read: async () => {
      reads += 1
      return values[Math.min(reads, values.length) - 1]
    },
    reads: () => reads,
  }
}

test('a value stays cached until this process writes anything, to any table', async () => {
  await using portal = await openPortalDatabase()
  const { read, reads } = counted(['first', 'second'])
  expect(await cachedUntilWrite('key', read)).toBe('first')
  expect(await cachedUntilWrite('key', read)).toBe('first')
  expect(reads()).toBe(1)
  await portal.db.team.create({ data: { id: 'team', name: 'Team' } })
  expect(await cachedUntilWrite('key', read)).toBe('second')
  await portal.db.$transaction([portal.db.team.update({ where: { id: 'team' }, data: { name: 'Renamed' } })])
  await cachedUntilWrite('key', read)
  expect(reads()).toBe(3)
})

test('a write by another process is seen in the next turn of the event loop', async () => {
  await using portal = await openPortalDatabase()
  const countTeams = () => cachedUntilWrite('teams', () => portal.db.team.count())
  expect(await countTeams()).toBe(0)
  for (const number of [1, 2, 3]) {
    await runBeside(portal, `INSERT INTO "Team" ("id", "name") VALUES ('team-${number}', 'Team')`)
    await nextTurn()
    expect(await countTeams()).toBe(number)
  }
})

test.skipIf(testEngine === 'postgresql')(
  'a request is not answered by what was read before a write by another process that it arrives after, in the same turn',
  async () => {
    await using portal = await openPortalDatabase()
    const file = portal.settings.portalDatabase
    const countTeams = () => cachedUntilWrite('teams', async () => runSql(file, 'SELECT count(*) AS "teams" FROM "Team"')[0]?.teams)
    // What is asked from here on stands until the end of the next turn, and requests come in before that.
    await nextTurn()
    expect(await countTeams()).toBe(0)
    runSql(file, `INSERT INTO "Team" ("id", "name") VALUES ('team', 'Team')`)
    noteArrival()
    expect(await countTeams()).toBe(1)
  },
)

test('simultaneous callers share one read, other keys have their own, and a failure is not cached', async () => {
  await using _portal = await openPortalDatabase()
  const { read, reads } = counted(['read'])
  expect(await Promise.all([1, 2, 3].map(() => cachedUntilWrite('shared', read)))).toEqual(['read', 'read', 'read'])
  expect(reads()).toBe(1)
  expect(await cachedUntilWrite('other', async () => 'its own')).toBe('its own')
  const broken = Promise.reject(new Error('broken'))
  await expect(cachedUntilWrite('failing', () => broken)).rejects.toThrow('broken')
  expect(await cachedUntilWrite('failing', async () => 'whole')).toBe('whole')
})

test('a read running during a write is not given to later callers', async () => {
  await using portal = await openPortalDatabase()
  let finish: ((value: string) => void) | undefined
  const slow = cachedUntilWrite('key', () => new Promise<string>((resolve) => (finish = resolve)))
  await expect.poll(() => finish).toBeDefined()
  await portal.db.team.create({ data: { id: 'team', name: 'Team' } })
  expect(await cachedUntilWrite('key', async () => 'new')).toBe('new')
  finish?.('old')
  expect(await slow).toBe('old')
  expect(await cachedUntilWrite('key', async () => 'unused')).toBe('new')
})
