/** Searches everything that was output for secrets. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operations } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { disguisesOf } from '../../support/stored-key'
import type { Fault } from '../../support/upstream/faults'
import { callAction, Form } from './action-call'
import { canaries, type Estate, person } from './estate'
import { isHealthCheck } from './traces'

const filesUnder = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

const readBytes = (dir: string): string =>
  filesUnder(dir)
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n')

/** All encodings of a secret, and a run of letters in it that no escaping changes. */
const formsOf = (secret: string): string[] => [...disguisesOf(secret), ...(secret.match(/[\w-]{12,}/g) ?? [])]

const faults: readonly Fault[] = ['echo-key', '500-json', 'html', 'truncated-json', 'reset-after', 'unauthorized']

/** Every page and read that a user can open, including jobs with their lines. */
async function lookAtEverything(
  { caller, routes, pathOf, serverId, siteId, teams }: Estate,
  cookie: string,
  encodings: string[],
): Promise<void> {
  const jobs = await db().job.findMany({ where: { teamId: teams.ours.id, state: { not: 'running' } } })
  const paths = [
    ...routes.map((route) => pathOf(route)),
    ...operations.map(({ id }) => `/api/operations/${id}?server=${serverId}&site=${siteId}&log=syslog`),
    ...jobs.flatMap(({ id }) => [`/jobs/${id}`, `/api/jobs/${id}`, `/api/jobs/${id}/events`]),
  ]
  for (const path of paths) for (const encoding of encodings) await caller.call(path, { cookie, headers: { 'accept-encoding': encoding } })
}

const login = { provider: 'custom', dns: 'None', port: '22', user: 'root', pass: canaries.password }

const another = { label: 'Another', apiKey: canaries.key }

const target = {
  label: 'Copies',
  bucket: 'copies',
  serverKeyId: 'SERVER',
  serverKeySecret: canaries.password,
  maintenanceKeyId: 'MAINTENANCE',
  maintenanceKeySecret: canaries.key,
}

/** Forms that reach the service, or are refused before. */
const upstreamForms = ({ teams, serverId, serverName }: Estate): [action: string, fields: Record<string, string>][] => [
  ['askHostKey', { ...login, connectionId: teams.ours.connectionId, name: 'asked', host: '192.0.2.11', host_key: 'ask' }],
  ['createServer', { ...login, connectionId: teams.ours.connectionId, name: 'created', host: '192.0.2.11' }],
  ['createServer', { ...login, connectionId: teams.ours.connectionId, name: '', host: '' }],
  ['installServer', { serverId }],
  ['deleteServer', { serverId, confirmName: `not ${serverName}` }],
  ['addConnection', { ...another, address: `${teams.ours.upstream.origin}/another`, keeper: 'own' }],
  ['addConnection', { ...another, address: `http://169.254.169.254/${canaries.key}`, keeper: 'team' }],
  ...[teams.ours.upstream.origin, 'http://169.254.169.254'].map((endpoint): [string, Record<string, string>] => [
    'addBackupTarget',
    { ...target, endpoint, keeper: 'team' },
  ]),
  ['replaceKey', { connectionId: teams.ours.connectionId, ...another, confirmName: new URL(teams.ours.upstream.origin).host }],
]

const publicForms: [action: string, fields: Record<string, string>][] = [
  ['signIn', { email: person.email, password: canaries.password }],
  ['signIn', { email: person.email, password: person.password }],
  ['recover', { token: 'A'.repeat(43), password: canaries.password }],
  ['setUp', { token: 'A'.repeat(43), ...person, apiKey: canaries.key, teamName: 'x' }],
]

async function send(estate: Estate, cookie: string, forms: [action: string, fields: Record<string, string>][]): Promise<void> {
  for (const [name, fields] of forms) await callAction(estate.caller, estate.action(name), [null, new Form(fields)], { cookie })
}

export function leaks(estate: Estate): void {
  const { teams, gatehouse, caller, place } = estate

  test('security 1: no API key and no password appears in any answer, stream, log, audit entry, row or built file, in any encoding', async () => {
    const { cookie } = await estate.join('ours', 'owner')
    const { upstream, connectionId } = teams.ours
    await send(estate, cookie, publicForms)
    for (const fault of faults) {
      upstream.set(fault)
      await send(estate, cookie, upstreamForms(estate))
      await lookAtEverything(estate, cookie, ['identity'])
      upstream.clear()
      await db().connection.update({ where: { id: connectionId }, data: { state: 'working' } })
    }
    // A service that repeats the API key in its list.
    upstream.addServer({ name: `Bearer ${canaries.key}`, hostname: canaries.key })
    await send(estate, cookie, upstreamForms(estate))
    await lookAtEverything(estate, cookie, ['identity', 'gzip', 'br'])

    // The secrets did reach their destination: otherwise not finding them would prove nothing.
    expect(upstream.calls.filter((call) => !isHealthCheck(call)).every(({ authorized }) => authorized)).toBe(true)
    expect(upstream.callsTo('POST', '/servers/create').some(({ fields }) => fields.pass === canaries.password)).toBe(true)

    const readKey = (name: string) => readFileSync(join(place.dir, 'keys', name), 'utf8').trim()
    const secrets = {
      'API key': canaries.key,
      'host password': canaries.password,
      "person's password": person.password,
      'key-encryption key': readKey('portal/kek.key'),
      'session secret': readKey('portal/session.key'),
    }
    const outputs = {
      'answers to browsers': caller.recorded(),
      'output of the processes': gatehouse.output(),
      'files of the database': readBytes(join(place.dir, 'data')),
      'files sent to browsers': readBytes(join(estate.build, 'static')),
    }
    expect(caller.recorded().length).toBeGreaterThan(1_000_000)
    for (const [what, secret] of Object.entries(secrets))
      for (const [where, text] of Object.entries(outputs))
        expect({ what, where, found: formsOf(secret).filter((form) => text.includes(form)) }).toEqual({ what, where, found: [] })
  })
}
