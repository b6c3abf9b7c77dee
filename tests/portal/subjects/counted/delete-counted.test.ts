import { expect, test } from 'vitest'
import { mail } from '@/lib/contract/operations/mail'
import { serverBackups } from '@/lib/contract/operations/server-backups'
import { db } from '@/lib/portal/base/db'
import type { Role } from '@/lib/portal/identity/actor'
import { deleteCounted } from '@/lib/portal/subjects/counted/delete-counted'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream, type Upstream } from '@/tests/support/upstream/upstream'

const message = (id: string) => ({ id, size: '100', date: '2026-11-21 10:17:00', sender: 'a@example.net', recipient: 'b@example.org' })

/** A foreign service with a server that has things to delete. */
async function openServer(upstream: Upstream, role: Role = 'operator') {
  const upstreamId = upstream.addServer({
    name: 'alpha',
    messages: ['A1', 'B2', 'C3'].map(message),
    backups: [{ name: 'one & only.tar', size: '1' }],
  })
  const team = await createTeam()
  await team.connect(upstream)
  const [row] = (await listServers(await team.join('operator'))).servers
  const actor = await team.join(role)
  const serverId = row?.id ?? ''
  const fields = (ids: unknown, confirmName: string) => inputOf(actor, { serverId, ids: JSON.stringify(ids), confirmName })
  const left = () => upstream.model.servers.get(upstreamId)?.messages.map(({ id }) => id)
  return { fields, left, upstreamId, deletions: () => upstream.callsTo('POST', `/servers/${upstreamId}/deletemessages`) }
}

test('exactly the named items are deleted once their number was typed, in one call, and the audit log names them', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { fields, left, deletions, upstreamId } = await openServer(upstream)
  expect(await deleteCounted(mail.delete, fields(['A1', 'C3', 'A1'], '2'))).toEqual({ ok: true, data: {} })
  expect(left()).toEqual(['B2'])
  expect(deletions().map(({ fields: sent }) => sent)).toEqual([{ ids: ['A1', 'C3'] }])
  const rows = await db().auditRow.findMany({ where: { action: 'mail.delete' }, orderBy: { seq: 'asc' } })
  expect(rows.map(({ stage, outcome }) => [stage, outcome])).toEqual([
    ['intent', 'asked'],
    ['outcome', 'done'],
  ])
  expect(JSON.parse(rows[0]?.detail ?? '{}')).toMatchObject({ name: 'alpha', 'field.ids': 'A1, C3' })
  expect(await deleteCounted(serverBackups.delete, fields(['one & only.tar'], ' 1 '))).toEqual({ ok: true, data: {} })
  expect(upstream.model.servers.get(upstreamId)?.backups).toEqual([])
})

test('a wrong number, the server’s name, an empty list or nonsense deletes nothing', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { fields, left, deletions } = await openServer(upstream)
  const refused = [
    fields(['A1', 'B2'], '1'),
    fields(['A1', 'B2'], ''),
    fields(['A1'], 'alpha'),
    fields([], '0'),
    fields([''], '1'),
    fields('A1', '1'),
    fields([{ not: null }], '1'),
    fields(null, '0'),
  ]
  for (const input of refused) expect(await deleteCounted(mail.delete, input)).toMatchObject({ ok: false, problem: { code: 'invalid' } })
  expect(left()).toEqual(['A1', 'B2', 'C3'])
  expect(deletions()).toEqual([])
})

test('security 23: a viewer deletes nothing, nor does a user on a server they cannot see', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { fields, deletions } = await openServer(upstream, 'viewer')
  expect(await deleteCounted(mail.delete, fields(['A1'], '1'))).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  const stranger = inputOf(await (await createTeam()).join('owner'), {
    serverId: fields(['A1'], '1').field('serverId'),
    ids: '["A1"]',
    confirmName: '1',
  })
  expect(await deleteCounted(mail.delete, stranger)).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(deletions()).toEqual([])
})

test('a lost answer leaves the outcome unknown, and nothing is sent again', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { fields, left, deletions } = await openServer(upstream)
  upstream.set('reset-after')
  expect(await deleteCounted(mail.delete, fields(['A1'], '1'))).toMatchObject({ ok: false, problem: { code: 'outcome_unknown' } })
  expect(left()).toEqual(['B2', 'C3'])
  expect(deletions()).toHaveLength(1)
})
