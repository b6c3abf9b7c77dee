/** Lending, changing and ending: by whom, what the audit log says, and what is refused. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { changeLabels } from '@/lib/portal/subjects/labels/change'
import { changeLoan, endLoan, lendConnection } from '@/lib/portal/subjects/lending/change'
import { findLentConnection } from '@/lib/portal/subjects/lending/view'
import { changeRole } from '@/lib/portal/subjects/team/change-member'
import { describeAction } from '@/lib/portal/views/activity/sentences'
import { inputOf } from '@/tests/support/own-input'
import { codeOf } from '../grants/scene'
import { lend, openLending } from './scene'

const what = {
  subjects: 'logs,backups',
  effects: 'read',
  root: '',
  where: 'named',
  names: 'shop.heron.example',
  until: '',
  why: 'On holiday',
}

const refused = (code: string) => ({ ok: false, problem: { code } })

test('the audit log says what was lent to whom, and what it was before; others cannot lend it, and it counts at once', async () => {
  await using scene = await openLending()
  const { lender, connectionId } = scene
  const [viewer, siteId] = [await scene.team.join('viewer'), scene.idOf('shop.heron.example')]
  const lent = await lendConnection(inputOf(lender, { connectionId, to: `member ${viewer.user.id}`, ...what }))
  const loanId = lent.ok ? lent.data.loanId : ''
  expect(await codeOf(viewer, contract.backups.list, { siteId })).toBe('ok')
  expect(await findLentConnection(lender, connectionId)).toMatchObject({
    ownerName: null,
    loans: [{ id: loanId, to: { kind: 'member', name: 'The viewer' }, state: 'valid', why: 'On holiday', subjects: ['logs', 'backups'] }],
  })
  const until = new Date(Date.now() + 3_600_000).toISOString()
  expect(await changeLoan(inputOf(lender, { loanId, ...what, subjects: 'logs', until }))).toMatchObject({ ok: true })
  expect(await codeOf(viewer, contract.backups.list, { siteId })).toBe('forbidden')
  expect(await endLoan(inputOf(lender, { loanId }))).toMatchObject({ ok: true })
  expect(await codeOf(viewer, contract.logs.fetchSite, { siteId })).toBe('not_found')
  expect(await endLoan(inputOf(lender, { loanId }))).toMatchObject(refused('changed_meanwhile'))
  const actions = ['connection.lend', 'connection.changeLoan', 'connection.endLoan']
  const rows = await db().auditRow.findMany({ where: { action: { in: actions }, stage: 'intent' }, orderBy: { seq: 'asc' } })
  const said = rows.map(({ action, detail }) => describeAction(action, JSON.parse(detail), 'done'))
  const [email, minute, logs] = [viewer.user.email, `${until.slice(0, 16).replace('T', ' at ')} UTC`, 'view the logs of shop.heron.example']
  expect(said.slice(0, 3)).toEqual([
    `Lent a connection to ${email} to view the logs and backups of shop.heron.example`,
    `Changed the loan of a connection to ${email} to ${logs}, until ${minute} (before: view the logs and backups of shop.heron.example)`,
    `Ended the loan of a connection to ${email} to ${logs}, until ${minute}`,
  ])
})

test('only its owner lends a connection or changes that, after proving who they are; those who keep the team’s can end it', async () => {
  await using scene = await openLending()
  const { lender, owner, connectionId } = scene
  const [mate, admin] = [await scene.team.join('operator'), await scene.team.join('admin')]
  const form = { connectionId, to: 'team', ...what, where: 'everything' }
  const stepUp = async () => problem('invalid')
  expect(await lendConnection(inputOf(lender, form, { stepUp }))).toMatchObject(refused('invalid'))
  for (const other of [mate, admin, owner]) expect(await lendConnection(inputOf(other, form))).toMatchObject(refused('not_found'))
  expect(await lendConnection(inputOf(lender, { ...form, to: `member ${lender.user.id}` }))).toMatchObject(refused('invalid'))
  expect(await db().loan.count()).toBe(0)
  const teams = await scene.team.connect(scene.upstream, { label: 'Key of the team' })
  expect(await lendConnection(inputOf(owner, { ...form, connectionId: teams }))).toMatchObject(refused('forbidden'))
  const loanId = await lend(scene, { scope: { kind: 'everything' } })
  for (const other of [mate, admin, owner])
    expect(await changeLoan(inputOf(other, { loanId, ...what }))).toMatchObject(refused('not_found'))
  expect(await endLoan(inputOf(mate, { loanId }))).toMatchObject(refused('not_found'))
  expect(await findLentConnection(mate, connectionId)).toBeNull()
  expect(await findLentConnection(admin, connectionId)).toMatchObject({ ownerName: 'The operator', mayLend: false, mayEnd: true })
  expect(await endLoan(inputOf(admin, { loanId }))).toMatchObject({ ok: true })
})

test('a label that a loan uses is put on only by those who may change access, and whoever becomes a guest loses their loans', async () => {
  await using scene = await openLending()
  const { lender, owner } = scene
  const viewer = await scene.team.join('viewer')
  const serverId = scene.idOf('otter-1')
  await lend(scene, { to: { userId: viewer.user.id }, scope: { kind: 'label', name: 'lent out' } })
  const label = { change: 'add', subjectKind: 'server', subjectIds: [serverId], label: 'lent out' } as const
  expect(await changeLabels(lender, label)).toMatchObject(refused('forbidden'))
  expect(await codeOf(viewer, contract.servers.summary, { serverId })).toBe('not_found')
  await db().label.create({ data: { teamId: scene.team.id, subjectKind: 'server', subjectId: serverId, name: 'lent out' } })
  expect(await codeOf(viewer, contract.servers.summary, { serverId })).toBe('ok')
  expect(await changeRole(inputOf(owner, { memberId: viewer.user.id, role: 'guest' }))).toMatchObject({ ok: true })
  expect(await db().loan.count()).toBe(0)
})
