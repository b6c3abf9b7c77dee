/** Access and loans may begin later: they count from their start until their end, and say so before and in the audit log. */
import { afterEach, expect, test, vi } from 'vitest'
import { contract } from '@/lib/contract'
import { changeLoan, lendConnection } from '@/lib/portal/subjects/lending/change'
import { findLentConnection } from '@/lib/portal/subjects/lending/view'
import { changeAccess, endAccess, giveAccess } from '@/lib/portal/subjects/team/access/change'
import { findMemberAccess, listAccessTo } from '@/lib/portal/subjects/team/access/list'
import { readActivity } from '@/lib/portal/views/activity/activity'
import { readFilter } from '@/lib/portal/views/activity/filter'
import { inputOf } from '@/tests/support/own-input'
import { openLending } from '../loans/scene'
import { codeOf, give, openScene } from './scene'

afterEach(() => void vi.useRealTimers())

const minute = 60_000
const atMinute = (minutes: number) => new Date((Math.floor(Date.now() / minute) + minutes) * minute)

const backups = { subjects: 'backups', effects: 'read', root: '', where: 'named', names: 'shop.heron.example', why: '' }
const setClock = (now: number | Date) => vi.useFakeTimers({ now, toFake: ['Date'] })

const said = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC`

test('access counts from its start until its end, is listed before, and the audit log says both', async () => {
  await using scene = await openScene()
  const guest = await scene.team.join('guest')
  const siteId = scene.idOf('shop.heron.example')
  const [from, until] = [atMinute(2), atMinute(4)]
  const form = { to: `member ${guest.user.id}`, ...backups, from: from.toISOString(), until: until.toISOString() }
  expect(await giveAccess(inputOf(scene.owner, form))).toMatchObject({ ok: true })
  const planned = { state: 'planned', from: from.toISOString(), until: until.toISOString() }
  expect((await findMemberAccess(scene.owner, guest.user.id))?.rows).toMatchObject([planned])
  expect(await listAccessTo(scene.owner, { kind: 'site', id: siteId })).toContainEqual(expect.objectContaining(planned))
  const { entries } = await readActivity(scene.owner, readFilter({ kind: 'accounts' }), 'UTC', 50)
  expect(entries.map(({ description }) => description)).toContain(
    `Gave ${guest.user.email} access to view the backups of shop.heron.example, from ${said(from)}, until ${said(until)}`,
  )
  for (const [at, code] of [
    [from.getTime() - 1, 'not_found'],
    [from.getTime(), 'ok'],
    [until.getTime() - 1, 'ok'],
    [until.getTime(), 'not_found'],
  ] as const) {
    setClock(at)
    expect([at, await codeOf(guest, contract.backups.list, { siteId })]).toEqual([at, code])
  }
})

test('a start that is over, one after the end, and what is no time are refused', async () => {
  await using scene = await openScene()
  const guest = await scene.team.join('guest')
  const fieldsOf = async (from: string, until: string) => {
    const outcome = await giveAccess(inputOf(scene.owner, { to: `member ${guest.user.id}`, ...backups, from, until }))
    return outcome.ok ? 'ok' : outcome.problem.fields
  }
  const [later, latest] = [atMinute(2).toISOString(), atMinute(3).toISOString()]
  const after = { until: 'Choose an end that is after the start.' }
  expect(await fieldsOf(later, later)).toEqual(after)
  expect(await fieldsOf(latest, later)).toEqual(after)
  expect(await fieldsOf(atMinute(-2).toISOString(), later)).toEqual({ from: 'Choose a time that is not over yet, or leave it empty.' })
  const wanted = 'Enter a date and a time such as 2026-11-28 14:05.'
  expect(await fieldsOf('incomplete', 'incomplete')).toEqual({ from: wanted, until: wanted })
  expect(await fieldsOf('', later)).toBe('ok')
})

test('changed without a start, what has begun stays as it was and what has not begins now; ended before, it never begins', async () => {
  await using scene = await openScene()
  const guest = await scene.team.join('guest')
  await give(guest, { kind: 'site', id: scene.idOf('shop.otter.example') }, { subjects: ['logs'] })
  const form = { to: `member ${guest.user.id}`, ...backups, until: '', from: atMinute(2).toISOString() }
  const given = await giveAccess(inputOf(scene.owner, form))
  const grantId = given.ok ? given.data.grantId : ''
  const [siteId, code] = [scene.idOf('shop.heron.example'), () => codeOf(guest, contract.backups.list, { siteId })]
  expect(await code()).toBe('not_found')
  expect(await changeAccess(inputOf(scene.owner, { ...form, grantId, from: '' }))).toMatchObject({ ok: true })
  expect(await code()).toBe('ok')
  const begun = (await findMemberAccess(scene.owner, guest.user.id))?.rows.find(({ id }) => id === grantId)?.from
  expect(await changeAccess(inputOf(scene.owner, { ...form, grantId, from: '', effects: 'read,change' }))).toMatchObject({ ok: true })
  expect((await findMemberAccess(scene.owner, guest.user.id))?.rows.find(({ id }) => id === grantId)?.from).toBe(begun)
  expect(await changeAccess(inputOf(scene.owner, { ...form, grantId }))).toMatchObject({ ok: true })
  expect(await code()).toBe('not_found')
  expect(await endAccess(inputOf(scene.owner, { grantId }))).toMatchObject({ ok: true })
  setClock(atMinute(3))
  expect(await code()).toBe('not_found')
})

test('a loan counts from its start', async () => {
  await using scene = await openLending()
  const [viewer, siteId] = [await scene.team.join('viewer'), scene.idOf('shop.heron.example')]
  const { lender, connectionId } = scene
  const from = atMinute(2)
  const lent = await lendConnection(inputOf(lender, { connectionId, to: 'team', ...backups, until: '', from: from.toISOString() }))
  expect((await findLentConnection(lender, connectionId))?.loans).toMatchObject([{ state: 'planned', from: from.toISOString() }])
  expect(await codeOf(viewer, contract.backups.list, { siteId })).toBe('not_found')
  setClock(from)
  expect(await codeOf(viewer, contract.backups.list, { siteId })).toBe('ok')
  vi.useRealTimers()
  const now = inputOf(lender, { loanId: lent.ok ? lent.data.loanId : '', ...backups, until: '', from: '' })
  expect(await changeLoan(now)).toMatchObject({ ok: true })
  expect(await codeOf(viewer, contract.backups.list, { siteId })).toBe('ok')
})
