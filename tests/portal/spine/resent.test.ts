/** A form that was refused because the session ended is sent again under the same id, and done once. */
import { expect, test, vi } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { type Person as Actor, recheckActor } from '@/lib/portal/identity/actor'
import { answerOnce } from '@/lib/portal/spine/submissions'
import { changeLabels } from '@/lib/portal/subjects/labels/change'
import { runOperation } from '@/lib/portal/subjects/spine'
import { forgetProcess } from '@/tests/support/reset-process'
import { openDesk } from './desk'

const sent = 'a-request-id-of-the-page'

test('if the session ended after the intent was logged the id stays free; what was done is not done again', async () => {
  await using desk = await openDesk('operator')
  const { upstream, serverId, actor } = desk
  const send = (by: Actor) =>
    answerOnce([by.user.id, 'servers.setHostname'], sent, (requestId) =>
      runOperation(by, contract.servers.setHostname, { serverId }, { hostname: 'new.example.org' }, { requestId }),
    )
  const before = upstream.calls.length
  await db().session.update({ where: { id: actor.sessionId }, data: { revokedAt: new Date() } })
  expect(await send(actor)).toMatchObject({ ok: false, problem: { code: 'signed_out' } })
  expect(upstream.calls.length).toBe(before)
  await db().session.update({ where: { id: actor.sessionId }, data: { revokedAt: null } })
  const again = await recheckActor(actor.sessionId)
  expect(await send(again ?? actor)).toMatchObject({ ok: true })
  expect(upstream.calls.length).toBe(before + 1)
  // As after a restart, which forgets what was answered.
  forgetProcess()
  expect(await send(again ?? actor)).toMatchObject({ ok: false, problem: { code: 'outcome_unknown' } })
  expect(upstream.calls.length).toBe(before + 1)
})

test('a label that was logged, and whose answer was lost with the database, is not logged twice', async () => {
  await using desk = await openDesk('operator')
  const { serverId, actor } = desk
  const send = () =>
    answerOnce([actor.user.id, 'labels.server'], sent, (requestId) =>
      changeLabels(actor, { change: 'add', subjectKind: 'server', subjectIds: [serverId], label: 'ours' }, requestId),
    )
  const entries = () => db().auditRow.count({ where: { action: 'labels.add' } })
  const cut = vi.spyOn(db(), '$executeRaw').mockRejectedValue(new Error('The connection was cut.') as never)
  await expect(send()).rejects.toThrow('cut')
  cut.mockRestore()
  expect(await entries()).toBe(1)
  expect(await send()).toMatchObject({ ok: false, problem: { code: 'outcome_unknown' } })
  expect(await entries()).toBe(1)
})
