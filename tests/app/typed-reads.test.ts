/** The type of a read follows from the contract, or from the table of the portal's own: what does not fit does not compile. */
import { expect, expectTypeOf, test } from 'vitest'
import { operationRead, portalRead, type ReadAddress, type ReadId } from '@/app/_shared/reads/read-address'
import { type ReadState, useOperation, useRead } from '@/app/_shared/reads/use-read'
import { answerOutcome, answerRead } from '@/app/api/answer-read'
import { operations } from '@/lib/contract'
import type { Answer } from '@/lib/contract/operation'
import type { cron } from '@/lib/contract/operations/cron'
import type { logs } from '@/lib/contract/operations/logs'
import type { mail } from '@/lib/contract/operations/mail'
import type { Outcome } from '@/lib/contract/problem'
import type { Counts } from '@/lib/portal/views/home/counts'

type CronAnswer = Answer<typeof cron.list>
type MailAnswer = Answer<typeof mail.list>

declare const jobs: Outcome<CronAnswer>
declare const messages: Outcome<MailAnswer>

/** Never run, for hooks run in a page alone: the compiler reads it. */
function useReads(): void {
  const options = { everyMs: 30_000 }
  expectTypeOf(useOperation('cron.list', { serverId: 'x' }, { ...options, first: jobs })).toEqualTypeOf<ReadState<CronAnswer>>()
  expectTypeOf(useOperation('logs.fetch', { serverId: 'x', log: 'auth' }, options)).toEqualTypeOf<ReadState<Answer<typeof logs.fetch>>>()
  expectTypeOf(useRead(portalRead('/api/counts'), options)).toEqualTypeOf<ReadState<Counts>>()

  // @ts-expect-error no operation has this id
  useOperation('cron.lists', { serverId: 'x' }, options)
  // @ts-expect-error it changes something
  useOperation('cron.save', { serverId: 'x' }, options)
  // @ts-expect-error it reads neither a server nor a site
  useOperation('servers.list', {}, options)
  // @ts-expect-error the mail queue is no crontab
  useOperation('cron.list', { serverId: 'x' }, { ...options, first: messages })
  // @ts-expect-error a site is no server
  useOperation('cron.list', { siteId: 'x' }, options)
  // @ts-expect-error which log is missing
  useOperation('logs.fetch', { serverId: 'x' }, options)
  // @ts-expect-error an address by hand says nothing of its answer
  useRead('/api/counts', options)
  // @ts-expect-error the portal has no such read
  portalRead('/api/count')
  // @ts-expect-error which job is missing
  portalRead('/api/jobs/[jobId]')
  // @ts-expect-error the route answers something else than the pages expect
  answerRead('/api/counts', { servers: 1 })
  // @ts-expect-error the mail queue is no history
  answerOutcome('/api/servers/[serverId]/history', messages)
}

test('a wrong id, target, field or type of answer does not compile', () => {
  expectTypeOf(useReads).toBeFunction()
})

test('the operations a page may read are those that read one server or site', () => {
  // A download carries data away: whether that is still a read is the contract's to say.
  const readable = operations
    .filter(({ id, effect, path }) => effect === 'read' && /\{(server|site)_id\}/.test(path) && id !== 'sites.download')
    .map(({ id }) => id)
  const known: Record<Exclude<ReadId, 'sites.download'>, true> = {
    'aliases.list': true,
    'apps.get': true,
    'apps.staging': true,
    'backups.list': true,
    'cron.list': true,
    'database.get': true,
    'database.tables': true,
    'email.get': true,
    'firewall.get': true,
    'logs.fetch': true,
    'logs.fetchSite': true,
    'mail.list': true,
    'lastBackups.list': true,
    'serverBackups.list': true,
    'services.list': true,
    'servers.summary': true,
    'servers.vitals': true,
    'sites.settings': true,
    'sftp.list': true,
    'sites.summary': true,
    'sites.traffic': true,
    'users.list': true,
  }
  expect(Object.keys(known).sort()).toEqual(readable.sort())
})

test('an address names the portal’s ids and fields as the routes look for them', () => {
  expectTypeOf(operationRead('cron.list', { serverId: 'x' })).toEqualTypeOf<ReadAddress<CronAnswer>>()
  expect(operationRead('cron.list', { serverId: 'a b' })).toBe('/api/operations/cron.list?server=a%20b')
  expect(operationRead('logs.fetch', { serverId: 'one', log: 'site:x.org:access' })).toBe(
    '/api/operations/logs.fetch?server=one&log=site%3Ax.org%3Aaccess',
  )
  expect(portalRead('/api/counts')).toBe('/api/counts')
  expect(portalRead('/api/jobs', { server: 'one' })).toBe('/api/jobs?server=one')
  expect(portalRead('/api/jobs', { site: 'one', operation: 'ssl.set' })).toBe('/api/jobs?site=one&operation=ssl.set')
  expect(portalRead('/api/jobs/[jobId]', { jobId: 'a/b', after: '7' })).toBe('/api/jobs/a%2Fb?after=7')
  expect(portalRead('/api/servers/[serverId]/history', { serverId: 'one', range: '7d' })).toBe('/api/servers/one/history?range=7d')
})
