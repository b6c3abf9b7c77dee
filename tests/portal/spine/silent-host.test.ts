/** A silent host, seen through the whole spine: the host is named, and not the service that waited for it. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { runOperation } from '@/lib/portal/subjects/spine'
import { keepMachine, openTestService } from '@/tests/service/support/service'
import { signedInLately } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startSpeechless } from '@/tests/support/silent-host'
import { startUpstream } from '@/tests/support/upstream/upstream'

const registration = { provider: 'ssh', dns: 'none', name: 'n', user: 'root', pass: 'p', region: '', type: '', host_key: 'ask' }

const outcomes = async () =>
  (await db().auditRow.findMany({ where: { stage: 'outcome' } })).map(({ action, outcome }) => `${action} ${outcome}`)

test('testing the connection, the summary and the removal of a silent host all come to an end that is known', {
  timeout: 60_000,
}, async () => {
  await using host = await startSpeechless()
  await using service = await openTestService()
  await using _ = await openPortalDatabase()
  for (const name of ['summed', 'removed']) await keepMachine(service, { ...host, name })
  const team = await createTeam()
  const actor = await team.join('owner')
  const connectionId = await team.connect({ origin: service.baseUrl, key: service.key })
  const ids = new Map((await listServers(actor)).servers.map(({ name, id }) => [name, id]))
  const place = { host: host.host, port: String(host.port) }
  const [asked, summary, removal] = await Promise.all([
    runOperation(actor, contract.servers.create, { connectionId }, { ...registration, ...place }),
    runOperation(actor, contract.servers.summary, { serverId: ids.get('summed') ?? '' }),
    runOperation(
      actor,
      contract.servers.delete,
      { serverId: ids.get('removed') ?? '' },
      {},
      { confirmName: 'removed', stepUp: signedInLately },
    ),
  ])
  expect(asked).toMatchObject({ ok: false, problem: { code: 'unreachable' } })
  expect(summary).toMatchObject({ ok: false, problem: { code: 'unreachable' } })
  expect(removal).toMatchObject({ ok: true, data: { cleaned: false } })
  expect((await outcomes()).sort()).toEqual(['servers.create failed', 'servers.delete done'])
})

test.each(['reset-after', '502-html'] as const)(
  'asking for a host key leaves nothing unknown behind, however it ends: %s',
  async (fault) => {
    await using upstream = await startUpstream({ extensions: true })
    await using _ = await openPortalDatabase()
    const team = await createTeam()
    const actor = await team.join('owner')
    const connectionId = await team.connect(upstream)
    await listServers(actor)
    upstream.set(fault, { path: '/servers/create' })
    const place = { host: '192.0.2.1', port: '22' }
    const create = (host_key: string) =>
      runOperation(actor, contract.servers.create, { connectionId }, { ...registration, ...place, host_key })
    expect(await create('ask')).toMatchObject({ ok: false, problem: { code: expect.stringMatching(/^upstream_/) } })
    expect(await create(`SHA256:${'A'.repeat(43)}`)).toMatchObject({ ok: false, problem: { code: 'outcome_unknown' } })
    expect(await outcomes()).toEqual(['servers.create failed', 'servers.create unknown'])
  },
)
