/** The spine keeps to what the contract says of an operation, whichever operation it is. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { problem } from '@/lib/contract/problem'
import { runOperation } from '@/lib/portal/subjects/spine'
import { signedInLately } from '@/tests/support/own-input'
import { auditRows, openDesk } from './desk'

const { servers, users, mail } = contract

test('an export is not for viewers, needs a fresh sign-in and is always logged', async () => {
  await using desk = await openDesk('operator')
  const { serverId, upstream, upstreamId, actor, team } = desk
  const exported = { ...servers.summary, effect: 'export', freshSignIn: true } as const
  const calls = () => upstream.callsTo('GET', `/servers/${upstreamId}/summary`).length
  const before = calls()
  const viewer = await team.join('viewer')
  const options = { stepUp: signedInLately }
  expect(await runOperation(viewer, exported, { serverId }, {}, options)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  const asked = problem('invalid', { fields: { password: 'Enter your password.' } })
  expect(await runOperation(actor, exported, { serverId }, {}, { stepUp: async () => asked })).toEqual({ ok: false, problem: asked })
  expect(await runOperation(actor, exported, { serverId })).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(calls()).toBe(before)
  expect(await runOperation(actor, exported, { serverId }, {}, options)).toMatchObject({ ok: true })
  expect(await auditRows()).toEqual(['servers.summary event denied', 'servers.summary intent asked', 'servers.summary outcome done'])
})

test('a lost answer of an export leaves nothing open, because it changes nothing', async () => {
  await using desk = await openDesk('operator')
  const exported = { ...servers.summary, effect: 'export', freshSignIn: true } as const
  desk.upstream.set('reset-after')
  const lost = await runOperation(desk.actor, exported, { serverId: desk.serverId }, {}, { stepUp: signedInLately })
  expect(lost).toMatchObject({ ok: false, problem: { code: 'upstream_unreachable' } })
})

test('the text to type is what the operation names: a field, a count or the name of the server', async () => {
  await using desk = await openDesk('operator')
  const { serverId, upstream, actor } = desk
  const before = upstream.calls.length
  const target = { serverId }
  const refused = { ok: false, problem: { code: 'invalid' } }
  for (const confirmName of ['alpha', '', 'ben'])
    expect(await runOperation(actor, users.delete, target, { user: 'anna' }, { confirmName })).toMatchObject(refused)
  for (const user of ['', undefined, ['alpha'], { toString: () => 'alpha' }])
    expect(await runOperation(actor, users.delete, target, { user }, { confirmName: 'alpha' })).toMatchObject(refused)
  for (const ids of [[], 'A1', undefined])
    expect(await runOperation(actor, mail.delete, target, { ids }, { confirmName: '0' })).toMatchObject(refused)
  expect(await runOperation(actor, mail.delete, target, { ids: ['A1'] }, { confirmName: 'alpha' })).toMatchObject(refused)
  const softened = { ...servers.setHostname, confirm: 'name' } as const
  expect(await runOperation(actor, softened, target, { hostname: 'x' })).toMatchObject(refused)
  expect(upstream.calls.length).toBe(before)
  expect(await runOperation(actor, softened, target, { hostname: 'x' }, { confirmName: 'alpha' })).toMatchObject({ ok: true })
})

test('an extension operation reaches only a service that announces extensions; others are not called, and nothing is logged', async () => {
  for (const extensions of [false, true]) {
    await using desk = await openDesk('operator', { extensions })
    const { serverId, upstream, upstreamId, actor } = desk
    const extension = { ...servers.setHostname, extension: true } as const
    const outcome = await runOperation(actor, extension, { serverId }, { hostname: 'x' })
    expect(upstream.callsTo('POST', `/servers/${upstreamId}/hostname`)).toHaveLength(extensions ? 1 : 0)
    expect((await auditRows()).length).toBe(extensions ? 2 : 0)
    if (extensions) expect(outcome).toMatchObject({ ok: true })
    else expect(outcome).toMatchObject({ problem: { code: 'not_built', sentence: expect.stringMatching(/does not offer this/) } })
  }
})

test('the portal fills in what it knows, replacing a given value or a missing one', async () => {
  await using desk = await openDesk('operator')
  const { serverId, upstream, upstreamId, actor } = desk
  await runOperation(actor, servers.update, { serverId }, { dns: 'Cloudflare' })
  const [update] = upstream.callsTo('POST', `/servers/${upstreamId}/update`)
  expect(update?.fields).toMatchObject({ name: 'alpha', dns: 'Cloudflare' })
  const filled = { ...servers.setHostname, fields: { hostname: { kind: 'text', alwaysFrom: 'server.id' } } } as const
  await runOperation(actor, filled, { serverId }, { hostname: 'somebody else’s' })
  expect(upstream.callsTo('POST', `/servers/${upstreamId}/hostname`).map(({ fields }) => fields)).toMatchObject([{ hostname: upstreamId }])
})
