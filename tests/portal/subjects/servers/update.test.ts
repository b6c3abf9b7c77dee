import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { findServer } from '@/lib/portal/subjects/servers/find'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { runOperation } from '@/lib/portal/subjects/spine'
import { signedInLately } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { forgetProcess } from '@/tests/support/reset-process'
import { startUpstream, type Upstream } from '@/tests/support/upstream/upstream'

async function openTeam(upstream: Upstream) {
  const upstreamId = upstream.addServer({ name: 'alpha', dns: 'Cloudflare' })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  const [server] = (await listServers(actor)).servers
  const update = (fields: Record<string, string>) => runOperation(actor, contract.servers.update, { serverId: server?.id ?? '' }, fields)
  const names = async () => {
    const row = await findServer(actor, server?.id ?? '')
    return [row?.name, row?.dns]
  }
  return { actor, update, names, path: `/servers/${upstreamId}/update`, id: server?.id ?? '' }
}

test('unedited values are sent as known, the row has the new name immediately, and the audit log what was requested', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  const { update, names, path, id } = await openTeam(upstream)
  expect(await update({ name: ' beta ' })).toEqual({ ok: true, data: {} })
  expect(await names()).toEqual(['beta', 'Cloudflare'])
  expect(await update({ dns: '' })).toEqual({ ok: true, data: {} })
  expect(await names()).toEqual(['beta', ''])
  const sent = upstream.callsTo('POST', path).map(({ fields }) => fields)
  expect(sent).toMatchObject([
    { name: ' beta ', dns: 'Cloudflare' },
    { name: 'beta', dns: '' },
  ])
  const rows = await db().auditRow.findMany({ where: { action: 'servers.update', objectId: id }, orderBy: { seq: 'asc' } })
  expect(rows.map(({ stage, outcome }) => [stage, outcome])).toEqual([
    ['intent', 'asked'],
    ['outcome', 'done'],
    ['intent', 'asked'],
    ['outcome', 'done'],
  ])
  expect(JSON.parse(rows[0]?.detail ?? '')).toMatchObject({ 'field.name': ' beta ' })
})

test('a refusal by the service changes nothing here', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  const { update, names } = await openTeam(upstream)
  upstream.set('success-false')
  expect(await update({ name: 'beta' })).toMatchObject({ ok: false })
  expect(await names()).toEqual(['alpha', 'Cloudflare'])
})

test('a list requested before the update does not bring the old name back, a later one shows what the service has', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  const { actor, names, id } = await openTeam(upstream)
  const learned = (name: string, listedAt: Date) => db().server.update({ where: { id }, data: { name, listedAt } })
  await learned('beta', new Date(Date.now() + 60_000))
  forgetProcess()
  await listServers(actor)
  expect(await names()).toEqual(['beta', 'Cloudflare'])
  await learned('beta', new Date(Date.now() - 60_000))
  forgetProcess()
  await listServers(actor)
  expect(await names()).toEqual(['alpha', 'Cloudflare'])
})

test('an accepted hostname and host key are in the row immediately, as the service stores them', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  upstream.addServer({ name: 'alpha', provider: 'sandbox' })
  const team = await createTeam()
  const actor = await team.join('owner')
  await team.connect(upstream)
  const [server] = (await listServers(actor)).servers
  const serverId = server?.id ?? ''
  expect(await runOperation(actor, contract.servers.setHostname, { serverId }, { hostname: ' Web-1.Example.ORG ' })).toMatchObject({
    ok: true,
  })
  const hostKey = `SHA256:${'B'.repeat(43)}`
  const login = { user: 'root', pass: 'secret', host_key: hostKey }
  const options = { confirmName: 'alpha', stepUp: signedInLately }
  expect(await runOperation(actor, contract.servers.resetKey, { serverId }, login, options)).toMatchObject({ ok: true })
  const row = await db().server.findUniqueOrThrow({ where: { id: serverId } })
  expect(row).toMatchObject({ hostname: 'web-1.example.org', hostKey })
})
