/** Who may download the audit log. */
import { expect, test } from 'vitest'
import { GET } from '@/app/api/activity/csv/route'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { sealSid } from '@/lib/portal/identity/cookie'
import { ExportEnded, renderActivity } from '@/lib/portal/views/activity/csv'
import { readFilter } from '@/lib/portal/views/activity/filter'
import { addPerson, openFor } from '@/tests/portal/identity/people'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'

test.each([
  ['viewer', 403, 1],
  ['operator', 200, 0],
] as const)('security 23: the CSV of the audit log for a %s is %i', async (role, status, denied) => {
  await using _ = await openPortalDatabase()
  const { sid } = await openFor(await addPerson({ role }))
  const headers = { cookie: `gatehouse-session=${await sealSid(sid)}` }
  const response = await GET(new Request('http://localhost:3000/api/activity/csv', { headers }), { params: Promise.resolve({}) })
  expect(response.status).toBe(status)
  await response.text()
  expect(await db().auditRow.count({ where: { action: 'activity.export', outcome: 'denied' } })).toBe(denied)
})

test('security 63: the CSV is refused while exporting needs a second person', async () => {
  await using _ = await openPortalDatabase()
  const { sid } = await openFor(await addPerson())
  const headers = { cookie: `gatehouse-session=${await sealSid(sid)}` }
  const get = () => GET(new Request('http://localhost:3000/api/activity/csv', { headers }), { params: Promise.resolve({}) })
  await db().team.updateMany({ data: { secondPersonFor: 'exportLog' } })
  expect((await get()).status).toBe(403)
  await db().team.updateMany({ data: { secondPersonFor: 'push' } })
  expect((await get()).status).toBe(200)
})

const losses: Record<string, (userId: string) => Promise<unknown>> = {
  'a lowered role': (userId) => db().membership.updateMany({ where: { userId }, data: { role: 'viewer' } }),
  removal: (userId) => db().membership.deleteMany({ where: { userId } }),
  'the end of the session': (userId) => db().session.updateMany({ where: { userId }, data: { revokedAt: new Date() } }),
}

test.each(Object.keys(losses))('security 16: %s ends a download of the audit log at the next page', async (loss) => {
  await using _ = await openPortalDatabase()
  const actor = await (await createTeam()).join('operator')
  for (let n = 0; n < 501; n += 1) {
    await recordAudit({
      teamId: actor.team.id,
      actor: { kind: 'operator' },
      action: 'member.enable',
      object: { kind: 'user', id: null },
      stage: 'event',
      outcome: 'done',
    })
  }
  const read = async (change?: () => Promise<unknown>) => {
    const lines = renderActivity(actor, readFilter({}), 'UTC')
    const pages = [(await lines.next()).value, (await lines.next()).value]
    await change?.()
    return { pages, last: await lines.next().catch((error: unknown) => error) }
  }
  expect((await read()).last).toMatchObject({ done: false, value: expect.stringContaining('Enabled') })
  expect((await read(() => losses[loss]?.(actor.user.id) ?? Promise.resolve())).last).toBeInstanceOf(ExportEnded)
})
