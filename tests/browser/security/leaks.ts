/** Secrets searched for in everything that came out. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operations } from '@/lib/contract'
import { db } from '@/lib/portal/db'
import { disguisesOf } from '../../support/stored-key'
import type { Fault } from '../../support/upstream/faults'
import { callAction, Form } from './action-call'
import { canaries, type Estate, person } from './estate'

const filesUnder = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

const readBytes = (dir: string): string =>
  filesUnder(dir)
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n')

/** All forms of a secret, and a run of letters within it that no escaping changes. */
const formsOf = (secret: string): string[] => [...disguisesOf(secret), ...(secret.match(/[\w-]{12,}/g) ?? [])]

const faults: readonly Fault[] = [
  'echo-key',
  '500-json',
  'html',
  'wrong-schema',
  'truncated-json',
  'reset-before',
  'reset-after',
  'unauthorized',
]

/** Everything a person can look at, ask for and send, once, with the password in each form that has one. */
async function driveEverything(estate: Estate, cookie: string): Promise<void> {
  const { caller, serverId, siteId, serverName, teams } = estate
  for (const route of estate.routes)
    for (const encoding of ['identity', 'gzip', 'br'])
      await caller.call(estate.pathOf(route), { cookie, headers: { 'accept-encoding': encoding } })
  for (const { id } of operations) await caller.call(`/api/operations/${id}?server=${serverId}&site=${siteId}&log=syslog`, { cookie })
  const login = {
    connectionId: teams.ours.connectionId,
    provider: 'custom',
    dns: 'None',
    port: '22',
    user: 'root',
    pass: canaries.password,
  }
  const forms: [string, Record<string, string>][] = [
    ['askHostKey', { ...login, name: 'asked', host: '192.0.2.11', host_key: 'ask' }],
    ['createServer', { ...login, name: 'created', host: '192.0.2.11' }],
    ['createServer', { ...login, name: '', host: '' }],
    ['installServer', { serverId }],
    ['deleteServer', { serverId, confirmName: `not ${serverName}` }],
    ['signIn', { email: person.email, password: canaries.password }],
    ['signIn', { email: person.email, password: person.password }],
    ['recover', { token: 'A'.repeat(43), password: canaries.password }],
    ['setUp', { token: 'A'.repeat(43), ...person, apiKey: canaries.key, teamName: 'x' }],
  ]
  for (const [name, fields] of forms) await callAction(caller, estate.action(name), [null, new Form(fields)], { cookie })
  const jobs = await db().job.findMany({ where: { teamId: teams.ours.id, state: { not: 'running' } } })
  for (const { id } of jobs)
    for (const path of [`/jobs/${id}`, `/api/jobs/${id}`, `/api/jobs/${id}/events`]) await caller.call(path, { cookie })
}

export function leaks(estate: Estate): void {
  const { teams, gatehouse, caller, place } = estate

  test('security 1: no key and no password stands in any answer, stream, log, record, row or built file, in any form', async () => {
    const { cookie } = await estate.join('ours', 'owner')
    const { upstream, connectionId } = teams.ours
    await driveEverything(estate, cookie)
    for (const fault of faults) {
      upstream.set(fault)
      await driveEverything(estate, cookie)
      upstream.clear()
      await db().connection.update({ where: { id: connectionId }, data: { state: 'working' } })
    }
    await driveEverything(estate, cookie)

    // The secrets did travel where they belong: otherwise not finding them shows nothing.
    expect(upstream.calls.every(({ authorized }) => authorized)).toBe(true)
    expect(upstream.callsTo('POST', '/servers/create').some(({ fields }) => fields.pass === canaries.password)).toBe(true)

    const readKey = (name: string) => readFileSync(join(place.dir, 'keys', name), 'utf8').trim()
    const secrets = {
      'API key': canaries.key,
      'host password': canaries.password,
      "person's password": person.password,
      'key-encryption key': readKey('portal/kek.key'),
      'session secret': readKey('portal/session.key'),
    }
    const places = {
      'answers to browsers': caller.recorded(),
      'output of the processes': gatehouse.output(),
      'files of the database': readBytes(join(place.dir, 'data')),
      'files sent to browsers': readBytes(join(estate.build, 'static')),
    }
    expect(caller.recorded().length).toBeGreaterThan(1_000_000)
    for (const [what, secret] of Object.entries(secrets))
      for (const [where, text] of Object.entries(places))
        expect({ what, where, found: formsOf(secret).filter((form) => text.includes(form)) }).toEqual({ what, where, found: [] })
  })
}
