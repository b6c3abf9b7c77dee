/** The listing knows no subject: what servers use lists sites as well, from a declaration typed by the contract. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { forgetListing } from '@/lib/portal/subjects/listing/cache'
import type { ListingKind } from '@/lib/portal/subjects/listing/kind'
import { createList } from '@/lib/portal/subjects/listing/list'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const json = (value: unknown) => JSON.stringify(value)

const heard: string[] = []

const siteListing: ListingKind<typeof contract.sites.list, { domain: string }> = {
  operation: contract.sites.list,
  membersOf: ({ domain }) => ({ domain }),
  rows: {
    find: (place, ids) =>
      db().site.findMany({
        where: { ...place, upstreamId: { in: [...ids] } },
        select: { id: true, upstreamId: true, goneAt: true, domain: true },
      }),
    insert: ({ teamId, origin }, rows, at) => db().$executeRaw`
      INSERT INTO "Site" ("id", "teamId", "origin", "upstreamId", "domain", "createdAt", "listedAt")
      SELECT value->>'id', ${teamId}, ${origin}, value->>'upstreamId', value->>'domain', ${at}, ${at} FROM json_each(${json(rows)})`,
    update: (rows, at) => db().$executeRaw`
      UPDATE "Site" SET "domain" = item.value->>'domain', "goneAt" = NULL FROM json_each(${json(rows)}) AS item
      WHERE "Site"."id" = item.value->>'id' AND "listedAt" <= ${at}`,
    noteListed: ({ teamId, origin }, ids, at) => db().$executeRaw`
      UPDATE "Site" SET "listedAt" = ${at} WHERE "teamId" = ${teamId} AND "origin" = ${origin}
        AND "upstreamId" IN (SELECT value FROM json_each(${json(ids)}))`,
    link: ({ teamId, origin }, connectionId, ids, at) => db().$executeRaw`
      INSERT INTO "SiteOnConnection" SELECT "id", ${connectionId}, ${at} FROM "Site" WHERE "teamId" = ${teamId}
        AND "origin" = ${origin} AND "upstreamId" IN (SELECT value FROM json_each(${json(ids)}))
      ON CONFLICT DO UPDATE SET "provenAt" = excluded."provenAt"`,
    findUnproven: async (connectionId, at) =>
      (await db().siteOnConnection.findMany({ where: { connectionId, provenAt: { lt: at } } })).map(({ siteId }) => siteId),
    unlink: (connectionId, ids) => db().$executeRaw`
      DELETE FROM "SiteOnConnection" WHERE "connectionId" = ${connectionId}
        AND "siteId" IN (SELECT value FROM json_each(${json(ids)}))`,
    markUnlistedGone: (ids, now) => db().$executeRaw`
      UPDATE "Site" SET "goneAt" = ${now} WHERE "id" IN (SELECT value FROM json_each(${json(ids)}))
        AND NOT EXISTS (SELECT 1 FROM "SiteOnConnection" WHERE "siteId" = "Site"."id")`,
    findListedAt: async (connectionId) =>
      (await db().siteOnConnection.aggregate({ where: { connectionId }, _max: { provenAt: true } }))._max.provenAt,
  },
  onListed: async (ids, _askedAt, found) => {
    if (ids.length > 0) heard.push(`${ids.length} ${found}`)
  },
}

const sites = createList(siteListing, async () => {
  const rows = await db().site.findMany({ where: { goneAt: null }, orderBy: { domain: 'asc' } })
  return rows.map(({ domain }) => domain)
})

test('sites are listed over all connections, change and go with the list, beside the servers of the same connections', async () => {
  await using _ = await openPortalDatabase()
  await using one = await startUpstream()
  await using two = await startUpstream()
  const team = await createTeam()
  const actor = await team.join('viewer')
  await team.connect(one, { label: 'One' })
  const connectionId = await team.connect(two, { label: 'Two' })
  for (const upstream of [one, two]) upstream.addServer()
  one.addSite({ domain: 'a.example' })
  const id = two.addSite({ domain: 'b.example' })
  two.addSite({ domain: 'c.example' })
  expect((await sites.ask(actor)).rows).toEqual(['a.example', 'b.example', 'c.example'])
  expect((await listServers(actor)).servers).toHaveLength(2)
  // Each of the two lists is read at most once in 2 s.
  expect((await sites.ask(actor)).rows).toHaveLength(3)
  expect(two.callsTo('GET', '/sites')).toHaveLength(1)
  expect(two.callsTo('GET', '/servers/')).toHaveLength(1)

  two.model.sites.delete(id)
  two.addSite({ domain: 'd.example' })
  forgetListing(connectionId)
  expect((await sites.ask(actor)).rows).toEqual(['a.example', 'c.example', 'd.example'])
  expect(heard).toEqual(['1 still there', '1 gone'])

  two.set('reset-before')
  forgetListing(connectionId)
  const { rows, connections } = await sites.ask(actor)
  expect(rows).toEqual(['a.example', 'c.example', 'd.example'])
  const [well, failing] = ['One', 'Two'].map((label) => connections.find((row) => row.label === label))
  expect([well?.problem, failing?.problem?.code]).toEqual([null, 'upstream_unreachable'])
  expect(failing?.listedAt).not.toBeNull()
  expect((await sites.findKnown(actor))?.connections).toEqual(connections)
})
