/** The password of a site's user is set on the site's server, for the user that the service names. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { setSftpPassword } from '@/lib/portal/subjects/sftp/set-password'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { describeAction } from '@/lib/portal/views/activity/sentences'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const pass = 'a quiet "harbour" $(in) November'

async function openScene(summary: Record<string, unknown>) {
  const database = await openPortalDatabase()
  const upstream = await startUpstream({ extensions: true })
  const serverId = upstream.addServer({ name: 'web-01' })
  upstream.addSite({ domain: 'first.example', summary })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  await listServers(actor)
  const siteId = (await listSites(actor)).sites[0]?.id ?? ''
  return {
    team,
    actor,
    set: (who: Person = actor, id = siteId) => setSftpPassword(inputOf(who, { siteId: id, pass, user: 'root' })),
    sent: () => upstream.callsTo('POST', `/servers/${serverId}/savesystemuser`).map(({ fields }) => fields),
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

test('the user is the one that the service names, whatever the form says, and Activity names the site', async () => {
  await using scene = await openScene({ user: 'firstexample', state: 'ready' })
  expect(await scene.set()).toMatchObject({ ok: true })
  expect(scene.sent()).toEqual([{ user: 'firstexample', pass }])
  const rows = await db().auditRow.findMany({ where: { action: 'users.save' }, orderBy: { seq: 'asc' } })
  expect(rows.map(({ stage, outcome }) => [stage, outcome])).toEqual([
    ['intent', 'asked'],
    ['outcome', 'done'],
  ])
  expect(describeAction('users.save', JSON.parse(rows[0]?.detail ?? '{}'), 'done')).toBe('Saved the SFTP password of first.example')
  expect(JSON.stringify(rows.map(({ detail }) => detail))).not.toContain('harbour')
})

test('viewers and people of other teams are refused, and nothing is sent', async () => {
  await using scene = await openScene({ user: 'firstexample' })
  expect(await scene.set(await scene.team.join('viewer'))).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  const stranger = await (await createTeam('Others')).join('owner')
  expect(await scene.set(stranger)).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(await scene.set(scene.actor, '../servers')).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(scene.sent()).toEqual([])
})

test.each([
  ['a service that reports no user', {}, 'unsuitable'],
  ['a site that is being deleted', { user: 'firstexample', state: 'deleting' }, 'busy'],
  ['a site that is being created', { user: 'firstexample', state: 'creating' }, 'busy'],
])('for %s nothing is sent, because the service would add a system user', async (_, summary, code) => {
  await using scene = await openScene(summary)
  expect(await scene.set()).toMatchObject({ ok: false, problem: { code } })
  expect(scene.sent()).toEqual([])
})
