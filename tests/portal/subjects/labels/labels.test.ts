import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { changeLabels, type LabelChange } from '@/lib/portal/subjects/labels/change'
import { cleanLabel, maxLabels } from '@/lib/portal/subjects/labels/label-name'
import { listLabelNames, readLabels } from '@/lib/portal/subjects/labels/labels'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { runOperation } from '@/lib/portal/subjects/spine'
import { signedInLately } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const addTo = (actor: Actor, subjectIds: readonly string[], label: string, more: Partial<LabelChange> = {}) =>
  changeLabels(actor, { change: 'add', subjectKind: 'server', subjectIds, label, ...more })

const codeOf = async (outcome: ReturnType<typeof changeLabels>) => {
  const answer = await outcome
  return answer.ok ? 'ok' : answer.problem.code
}

const labelsInList = async (actor: Actor) => (await listServers(actor)).servers.map(({ name, labels }) => [name, labels])

test('a label is stored in lower case with single spaces, and invalid ones are refused', () => {
  expect(cleanLabel('  Client:   Northwind ')).toBe('client: northwind')
  expect(cleanLabel('ÜBER-Wichtig')).toBe('über-wichtig')
  expect(cleanLabel('a'.repeat(32))).toBe('a'.repeat(32))
  for (const none of ['', '   ', 'a'.repeat(33), '-x', 'a,b', '<b>', 'a\u202eb', 'a\u0000b', '=1+1', 'x'.repeat(1e6)])
    expect(cleanLabel(none)).toBeNull()
})

test('labels are added to many servers and removed again, each change is one entry, and lists show them', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  for (const name of ['alpha', 'beta', 'gamma']) upstream.addServer({ name })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  const ids = (await listServers(actor)).servers.map(({ id }) => id)
  expect(await addTo(actor, ids, 'Production')).toEqual({ ok: true, data: { label: 'production', changed: 3 } })
  expect(await addTo(actor, ids.slice(0, 2), 'production')).toMatchObject({ data: { changed: 0 } })
  expect(await addTo(actor, ids.slice(0, 1), 'edge', { change: 'remove' })).toMatchObject({ data: { changed: 0 } })
  expect(await addTo(actor, ids.slice(1), 'production', { change: 'remove' })).toMatchObject({ data: { changed: 2 } })
  await addTo(actor, ids.slice(0, 1), 'edge')
  expect(await labelsInList(actor)).toEqual([
    ['alpha', ['edge', 'production']],
    ['beta', []],
    ['gamma', []],
  ])
  expect(await listLabelNames(actor)).toEqual(['edge', 'production'])
  const rows = await db().auditRow.findMany({ where: { action: { startsWith: 'labels.' } }, orderBy: { seq: 'asc' } })
  expect(rows.map(({ action, objectId, detail }) => [action, objectId, JSON.parse(detail)])).toEqual([
    ['labels.add', '', { label: 'production', name: 'alpha, beta and gamma', count: 3 }],
    ['labels.add', '', { label: 'production', name: 'alpha and beta', count: 2 }],
    ['labels.remove', ids[0], { label: 'edge', name: 'alpha' }],
    ['labels.remove', '', { label: 'production', name: 'beta and gamma', count: 2 }],
    ['labels.add', ids[0], { label: 'edge', name: 'alpha' }],
  ])
})

test('security 23: a viewer, another team and unknown ids change no label; of mixed ids only the team’s are labelled', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  const [team, others] = [await createTeam(), await createTeam('Others')]
  const [operator, viewer, stranger] = [await team.join('operator'), await team.join('viewer'), await others.join('owner')]
  const ann = await team.join('admin')
  await team.connect(upstream, { ownerId: operator.user.id })
  const [id = ''] = (await listServers(operator)).servers.map((server) => server.id)
  expect(await codeOf(addTo(viewer, [id], 'planted'))).toBe('forbidden')
  expect(await codeOf(addTo(stranger, [id], 'planted'))).toBe('not_found')
  expect(await codeOf(addTo(ann, [id], 'planted'))).toBe('not_found')
  for (const ids of [[], ['x'], ['../../x'], ['absent-absent-absent']])
    expect(await codeOf(addTo(operator, ids, 'planted'))).toBe('not_found')
  expect(await codeOf(addTo(operator, [id], 'a,b'))).toBe('invalid')
  expect(await db().label.count()).toBe(0)
  await db().membership.updateMany({ where: { userId: operator.user.id }, data: { role: 'viewer' } })
  expect(await codeOf(addTo(operator, [id], 'planted'))).toBe('forbidden')
  await db().membership.updateMany({ where: { userId: operator.user.id }, data: { role: 'operator' } })
  expect(await addTo(operator, [id, 'absent-absent-absent'], 'kept')).toMatchObject({ data: { changed: 1 } })
  expect(await db().auditRow.count({ where: { outcome: 'denied' } })).toBeGreaterThan(0)
})

test('sites have labels of their own, and the number of labels per subject is limited', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const team = await createTeam()
  const actor = await team.join('operator')
  const id = 'site-site-site-site-22'
  const place = { teamId: team.id, origin: upstream.origin, listedAt: new Date() }
  const connections = { create: { connectionId: await team.connect(upstream), provenAt: new Date() } }
  await db().site.create({ data: { id, ...place, upstreamId: '1', domain: 'shop.example', connections } })
  const addToSite = (label: string) => addTo(actor, [id], label, { subjectKind: 'site' })
  for (let n = 0; n < maxLabels; n++) expect(await addToSite(`label-${n}`)).toMatchObject({ data: { changed: 1 } })
  expect(await addToSite('one too many')).toMatchObject({ ok: true, data: { changed: 0 } })
  expect((await readLabels(team.id, 'site')).get(id)).toHaveLength(maxLabels)
  expect((await readLabels(team.id, 'server')).size).toBe(0)
  expect(await codeOf(addTo(actor, [id], 'planted'))).toBe('not_found')
})

test('a deleted server loses its labels', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  upstream.addServer({ name: 'beta' })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  const ids = (await listServers(actor)).servers.map(({ id }) => id)
  await addTo(actor, ids, 'edge')
  const deleted = await runOperation(
    actor,
    contract.servers.delete,
    { serverId: ids[0] ?? '' },
    {},
    { confirmName: 'alpha', stepUp: signedInLately },
  )
  expect(deleted.ok).toBe(true)
  expect((await db().label.findMany()).map(({ subjectId }) => subjectId)).toEqual([ids[1]])
})
