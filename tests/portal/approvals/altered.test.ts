/** Held requests of which anything was altered, in the database or in what they are about: none is sent. */
import { expect, test } from 'vitest'
import { toColumns } from '@/lib/portal/access/grants/stored'
import { db } from '@/lib/portal/base/db'
import { waitForJob } from '@/lib/portal/jobs/wait'
import type { HeldRequest, Prisma } from '@/prisma/generated/portal/client'
import { createTeam } from '@/tests/support/portal-team'
import { type Chance, openChance, seededRuns } from '@/tests/support/seeds'
import { approve, heldIdOf, openScene, readHeld, type Scene } from './scene'

const cases = seededRuns(10_000)

/** What is changed before the approval. */
type Alteration = { what: string; make: () => Promise<unknown> }

/** Another text: one character changed, added or taken away. */
function alterText(text: string, chance: Chance): string {
  const [at, letter] = [chance.below(text.length || 1), chance.pick([...'abcXYZ019-_'])]
  const altered = chance.pick([
    `${text.slice(0, at)}${letter}${text.slice(at + 1)}`,
    `${text.slice(0, at)}${letter}${text.slice(at)}`,
    text.slice(0, at) + text.slice(at + 1),
  ])
  return altered === text ? `${text}${letter}` : altered
}

function alterBytes(bytes: Uint8Array, chance: Chance): Uint8Array<ArrayBuffer> {
  const altered = new Uint8Array(bytes)
  const at = chance.below(altered.length)
  altered[at] = (altered[at] ?? 0) ^ (1 << chance.below(8))
  return chance.below(4) === 0 ? altered.slice(0, at) : altered
}

/** A column of the row that says what is sent, where, for whom, or until when. */
function alterColumn(row: HeldRequest, others: readonly HeldRequest[], ids: readonly string[], chance: Chance): Alteration {
  const other = chance.pick(others.filter(({ id }) => id !== row.id))
  const sealed = row.sealed ?? new Uint8Array(1)
  const id = chance.pick(ids)
  const data: Prisma.HeldRequestUncheckedUpdateInput = chance.pick<() => Prisma.HeldRequestUncheckedUpdateInput>([
    () => ({ sealed: alterBytes(sealed, chance) }),
    () => ({ sealed: other.sealed }),
    () => ({ sealed: other.sealed, digest: other.digest }),
    () => ({ digest: alterText(row.digest, chance) }),
    () => ({ digest: other.digest }),
    () => ({ action: other.action === row.action ? 'cron.save' : other.action }),
    () => ({ serverId: row.serverId === id ? null : id }),
    () => ({ siteId: row.siteId === id ? null : id }),
    () => ({ connectionId: alterText(row.connectionId ?? '', chance) }),
    () => ({ targetName: alterText(row.targetName, chance) }),
    () => ({ askedById: chance.pick(ids.filter((each) => each !== row.askedById)) }),
    () => ({ sessionId: chance.pick(ids.filter((each) => each !== row.sessionId)) }),
    () => ({ askedAt: new Date(row.askedAt.getTime() + 1 + chance.below(3_600_000)) }),
    () => ({ askedAt: new Date(row.askedAt.getTime() - 1 - chance.below(7_200_000)) }),
    () => ({ kind: chance.pick(['batch', 'own']) }),
    () => ({ sendAt: new Date(Date.now() + chance.below(3_600_000)) }),
    () => ({ decidedById: id }),
    () => ({ state: chance.pick(['approved', 'sending', 'sent', 'failed', 'unknown', 'refused', 'withdrawn', 'expired']) }),
    () => ({ sealed: null }),
  ])()
  return { what: JSON.stringify(Object.keys(data)), make: () => db().heldRequest.update({ where: { id: row.id }, data }) }
}

/** What it is about, or whoever asked, changed in the meantime. */
function alterWorld({ asker, idOf, connectionId }: Scene, { serverId, siteId }: HeldRequest, chance: Chance): Alteration {
  const server = (data: Prisma.ServerUpdateInput) => db().server.update({ where: { id: serverId ?? idOf('alpha') }, data })
  const site = (data: Prisma.SiteUpdateInput) => db().site.update({ where: { id: siteId ?? '' }, data })
  const connection = (data: Prisma.ConnectionUpdateInput) => db().connection.update({ where: { id: connectionId }, data })
  const where = { userId: asker.user.id }
  const reading = toColumns({ subjects: 'all', effects: ['read'], operations: [], root: false })
  const [upstreamId, now] = [`9${chance.below(1_000)}`, new Date()]
  const about: Alteration[] =
    siteId === null
      ? [
          { what: 'server.name', make: () => server({ name: 'other' }) },
          { what: 'server.dns', make: () => server({ dns: `other-${upstreamId}` }) },
          { what: 'server.upstreamId', make: () => server({ upstreamId }) },
          { what: 'server.goneAt', make: () => server({ goneAt: now }) },
        ]
      : [
          { what: 'site.domain', make: () => site({ domain: 'other.example' }) },
          { what: 'site.upstreamId', make: () => site({ upstreamId }) },
          { what: 'site.goneAt', make: () => site({ goneAt: now }) },
        ]
  return chance.pick([
    ...about,
    { what: 'connection.basePath', make: () => connection({ basePath: '/v2' }) },
    { what: 'connection.frozenAt', make: () => connection({ frozenAt: now }) },
    { what: 'role', make: () => db().membership.updateMany({ where, data: { role: 'viewer' } }) },
    { what: 'membership end', make: () => db().membership.updateMany({ where, data: { endsAt: now } }) },
    { what: 'access', make: () => db().grant.updateMany({ where, data: reading }) },
    { what: 'access end', make: () => db().grant.updateMany({ where, data: { until: now } }) },
    { what: 'session', make: () => db().session.updateMany({ where, data: { revokedAt: now } }) },
    { what: 'second factor', make: () => db().session.updateMany({ where, data: { awaits: 'secondFactor' } }) },
    { what: 'account', make: () => db().user.update({ where: { id: asker.user.id }, data: { disabledAt: now } }) },
  ])
}

/** How it was, to be put back. */
async function remember({ asker }: Scene) {
  const userId = asker.user.id
  const [servers, sites, connections, requests] = await Promise.all([
    db().server.findMany(),
    db().site.findMany(),
    db().connection.findMany(),
    db().heldRequest.findMany(),
  ])
  const [memberships, grants, sessions, users] = await Promise.all([
    db().membership.findMany({ where: { userId } }),
    db().grant.findMany({ where: { userId } }),
    db().session.findMany({ where: { userId } }),
    db().user.findMany({ where: { id: userId } }),
  ])
  const byId = ({ id }: { id: string }) => ({ id })
  return () =>
    db().$transaction([
      ...servers.map((data) => db().server.update({ where: byId(data), data })),
      ...sites.map((data) => db().site.update({ where: byId(data), data })),
      ...connections.map((data) => db().connection.update({ where: byId(data), data })),
      ...requests.map((data) => db().heldRequest.update({ where: byId(data), data })),
      ...memberships.map((data) => db().membership.updateMany({ where: { userId }, data })),
      ...grants.map((data) => db().grant.update({ where: byId(data), data })),
      ...sessions.map((data) => db().session.update({ where: byId(data), data })),
      ...users.map((data) => db().user.update({ where: byId(data), data })),
    ])
}

test(`security 63: of ${cases} altered held requests none is sent, and each that was not altered is`, async () => {
  await using scene = await openScene()
  const chance = openChance()
  const { ask, asker, owner, approver, idOf, sent } = scene
  const held = [await ask.deleteServer(), await ask.setPassword(), await ask.restore(), await ask.deleteSite()].map(heldIdOf)
  const rows = await Promise.all(held.map(readHeld))
  const stranger = await (await createTeam('Another')).join('owner')
  const users = [asker, owner, approver, stranger].flatMap(({ user, sessionId }) => [user.id, sessionId])
  const ids = [...users, ...['alpha', 'beta', 'shop.example', 'blog.example'].map(idOf)]
  const putBack = await remember(scene)
  const counts = new Map<string, number>()
  for (let run = 0; run < cases; run += 1) {
    const row = chance.pick(rows)
    const { what, make } = chance.below(3) === 0 ? alterWorld(scene, row, chance) : alterColumn(row, rows, ids, chance)
    await make()
    const outcome = await approve(approver, row.id)
    if (outcome.ok || sent().length > 0) expect.fail(`SEED=${chance.seed}, run ${run}: ${row.action}, altered: ${what}`)
    await putBack()
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  process.stdout.write(`SEED=${chance.seed}: ${cases} runs, ${counts.size} kinds of alteration\n`)
  const [deletion, password, restore, deleteSite] = rows
  for (const row of [password, restore, deleteSite, deletion]) {
    const outcome = await approve(approver, row?.id ?? '')
    expect(outcome, `SEED=${chance.seed}, ${row?.action}`).toMatchObject({ ok: true })
    if (outcome.ok && outcome.data.page !== null) await waitForJob(row?.id ?? '')
  }
}, 600_000)
