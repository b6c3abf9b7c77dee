/** What somebody else changed while a form was open is not overwritten unseen. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { refuseOverwrite } from '@/lib/portal/subjects/overwrite/refuse-overwrite'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { runOperation } from '@/lib/portal/subjects/spine'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

test('a value changed since the form was opened is refused with who and what; unchanged, wanted or overwritten ones pass', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  upstream.addServer({ name: 'alpha', state: 'ready' })
  const team = await createTeam()
  const [owner, operator] = [await team.join('owner'), await team.join('operator')]
  await team.connect(upstream)
  const serverId = (await listServers(owner)).servers[0]?.id ?? ''
  const check = (fields: Record<string, string>) => refuseOverwrite(operator, { serverId }, (name) => fields[name])
  expect(await check({ name: 'gamma', 'opened.name': 'alpha' })).toBeNull()
  expect(await runOperation(owner, contract.servers.update, { serverId }, { name: 'beta' })).toMatchObject({ ok: true })
  await listServers(owner)
  expect(await check({ name: 'gamma', 'opened.name': 'alpha' })).toMatchObject({
    code: 'changed_meanwhile',
    fields: { name: expect.stringMatching(/^The owner changed this on .* UTC to “beta” while you were editing\.$/) },
  })
  expect(await check({ name: 'beta', 'opened.name': 'alpha' })).toBeNull()
  expect(await check({ name: 'gamma', 'opened.name': 'beta' })).toBeNull()
  expect(await check({ name: 'gamma' })).toBeNull()
  const stranger = await (await createTeam('Theirs')).join('owner')
  expect(await refuseOverwrite(stranger, { serverId }, (name) => ({ name: 'x', 'opened.name': 'y' })[name])).toBeNull()
})

test('a hostname is compared with what the server has now, not with the row; the user’s own change is called theirs', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  upstream.addServer({ name: 'alpha', state: 'ready', hostname: 'one.example.org' })
  const team = await createTeam()
  const operator = await team.join('operator')
  await team.connect(upstream)
  const serverId = (await listServers(operator)).servers[0]?.id ?? ''
  const check = (fields: Record<string, string>) => refuseOverwrite(operator, { serverId }, (name) => fields[name])
  expect(await check({ hostname: 'two.example.org', 'opened.hostname': 'one.example.org' })).toBeNull()
  expect(await runOperation(operator, contract.servers.setHostname, { serverId }, { hostname: 'three.example.org' })).toMatchObject({
    ok: true,
  })
  expect(await check({ hostname: 'two.example.org', 'opened.hostname': 'one.example.org' })).toMatchObject({
    fields: { hostname: expect.stringMatching(/^You changed this on .* UTC to “three\.example\.org” while you were editing\.$/) },
  })
  expect(await check({ hostname: 'two.example.org' })).toBeNull()
})
