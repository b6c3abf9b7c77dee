/** A service that does what it was asked and answers in a way that nobody can read, or that does not say so. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { runOperation } from '@/lib/portal/subjects/spine'
import { readActivity } from '@/lib/portal/views/activity/activity'
import { readFilter } from '@/lib/portal/views/activity/filter'
import { signedInLately } from '@/tests/support/own-input'
import type { Fault } from '@/tests/support/upstream/faults'
import { auditRows, openDesk } from './desk'

const unreadable: readonly Fault[] = [
  'html-after',
  'empty-after',
  'gzip-after',
  'truncated-after',
  '302-after',
  '303-after',
  '500-after',
  '500-message-after',
]

test.each(unreadable)('a completed deletion answered with %s is unknown, and the next list settles it as done', async (fault) => {
  await using desk = await openDesk('owner')
  const { upstream, upstreamId, serverId, actor } = desk
  const path = `/servers/${upstreamId}/delete`
  upstream.set(fault, { path })
  const outcome = await runOperation(actor, contract.servers.delete, { serverId }, {}, { stepUp: signedInLately, confirmName: 'alpha' })
  expect(outcome).toMatchObject({ ok: false, problem: { code: 'outcome_unknown' } })
  expect((await listServers(actor)).servers).toEqual([])
  expect(await auditRows()).toEqual(['servers.delete intent asked', 'servers.delete outcome unknown', 'servers.delete outcome done'])
  expect(upstream.callsTo('GET', path)).toHaveLength(1)
})

test('a deletion that was made and is said to have failed is failed, and the next list shows that the server is gone', async () => {
  await using desk = await openDesk('owner')
  const { upstream, upstreamId, serverId, actor } = desk
  upstream.set('500-failed-after', { path: `/servers/${upstreamId}/delete` })
  expect((await listServers(actor)).servers).toHaveLength(1)
  const outcome = await runOperation(actor, contract.servers.delete, { serverId }, {}, { stepUp: signedInLately, confirmName: 'alpha' })
  const sentence = 'The service could not do this: \u2068No mail could be sent.\u2069'
  expect(outcome).toMatchObject({ ok: false, problem: { code: 'upstream_failed', sentence } })
  expect((await listServers(actor)).servers).toEqual([])
})

test('a change answered after a PHP warning is done', async () => {
  await using desk = await openDesk('owner')
  const { upstream, serverId, actor } = desk
  upstream.set('php-warning')
  const job = { minute: '0', hour: '5', dom: '*', mon: '*', dow: '*', user: 'root', command: '/usr/bin/true' }
  expect(await runOperation(actor, contract.cron.save, { serverId }, job)).toMatchObject({ ok: true })
  expect(await auditRows()).toEqual(['cron.save intent asked', 'cron.save outcome done'])
})

const open = 'It is not known yet whether the change was made.'

test.each<[Fault, string]>([
  ['empty-after', `The service returned an unreadable response. ${open}`],
  ['gzip-after', `The service returned an unreadable response. ${open}`],
  ['reset-after', `The connection broke before the response arrived. ${open}`],
  ['500-message-after', `${open} The service failed.`],
  ['502-html', open],
])('after %s, Activity says why the outcome is unknown, like the form, without the words of the service', async (fault, reason) => {
  await using desk = await openDesk('owner')
  const { upstream, upstreamId, serverId, actor } = desk
  upstream.set(fault, { path: `/servers/${upstreamId}/savecronjob` })
  const job = { minute: '0', hour: '5', dom: '*', mon: '*', dow: '*', user: 'root', command: '/usr/bin/true' }
  const outcome = await runOperation(actor, contract.cron.save, { serverId }, job)
  const shown = outcome.ok ? '' : outcome.problem.sentence
  expect(shown.startsWith(reason.slice(0, -1))).toBe(true)
  const { entries } = await readActivity(actor, readFilter({}), 'UTC')
  expect(entries[0]).toMatchObject({ result: 'unknown', reason })
})
