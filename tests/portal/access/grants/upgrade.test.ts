/** Members of before there were grants can do what they could, and nothing more. */
import { expect, test } from 'vitest'
import { operations } from '@/lib/contract'
import { isAllowed, isSeen } from '@/lib/portal/access/grants/compile'
import type { Place } from '@/lib/portal/access/grants/grant'
import { needOf } from '@/lib/portal/access/grants/needs'
import { rightOf } from '@/lib/portal/access/grants/read'
import { mayRun } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import { recheckActor } from '@/lib/portal/identity/actor'
import { openOlderPortal } from '@/tests/support/older-portal'
import { openSqliteFile } from '@/tests/support/sqlite-file'

/** The older data has an owner and a viewer; this adds an admin, an operator and one who is in no team any more, all signed in. */
function addMembers(file: string): void {
  using older = openSqliteFile(file)
  const people = [
    ['An-admin-of-yesterday1', 'admin'],
    ['An-operator-of-before2', 'operator'],
    ['Nobody-of-yesterday-03', null],
  ] as const
  for (const [id, role] of people) {
    const copy = (columns: string) => `SELECT ?, ?, ${columns} FROM`
    older.run(`INSERT INTO "User" ("id", "email", "name", "passwordHash", "createdAt") ${copy(`'x', 'x', "createdAt"`)} "User" LIMIT 1`, [
      id,
      `${id}@example.org`,
    ])
    const times = '"teamId", "createdAt", "seenAt", "stepUpAt", "expiresAt"'
    older.run(
      `INSERT INTO "Session" ("id", "userId", "sidHash", ${times}, "userAgent", "peer")
        SELECT ?, ?, ?, ${times}, '', '' FROM "Session" LIMIT 1`,
      [`session-of-${id}`, id, `hash-of-${id}`],
    )
    if (role !== null) {
      older.run(
        `INSERT INTO "Membership" ("userId", "role", "teamId", "createdAt") ${copy('"teamId", "createdAt"')} "Membership" LIMIT 1`,
        [id, role],
      )
    }
  }
}

const places: readonly Place[] = [
  { kind: 'everywhere' },
  { kind: 'server', serverId: 'a-server' },
  { kind: 'site', siteId: 'a-site', serverId: 'a-server' },
  { kind: 'site', siteId: 'a-site', serverId: null },
]

test('after the upgrade every member may run what the role allows, everywhere, and has one visible grant', async () => {
  await using _portal = await openOlderPortal('before-enums', { change: addMembers })
  const memberships = await db().membership.findMany({ include: { grants: { include: { scopes: true } } } })
  expect(memberships.map(({ role }) => role).sort()).toEqual(['admin', 'operator', 'owner', 'viewer'])
  for (const { userId, role, createdAt, grants } of memberships) {
    const scopes = [expect.objectContaining({ kind: 'everything' })]
    expect([role, grants]).toEqual([role, [expect.objectContaining({ scopes, until: null, givenById: null, validFrom: createdAt })]])
    expect(grants.map(({ id }) => isOpaqueId(id))).toEqual([true])
    const session = await db().session.findFirstOrThrow({ where: { userId } })
    const actor = await recheckActor(session.id)
    if (!actor) throw new Error(`The ${role} is not signed in.`)
    const right = await rightOf(actor)
    expect(places.map((place) => isSeen(right, place))).toEqual(places.map(() => true))
    const rights = places.map((place) => operations.map((operation) => isAllowed(right, needOf(operation), place)))
    expect([role, rights]).toEqual([role, places.map(() => operations.map(({ effect }) => mayRun(role, effect)))])
  }
})

test('whoever was in no team has no grant', async () => {
  await using _portal = await openOlderPortal('before-enums', { change: addMembers })
  expect(await db().grant.count({ where: { userId: 'Nobody-of-yesterday-03' } })).toBe(0)
  expect(await db().grant.count()).toBe(4)
})
