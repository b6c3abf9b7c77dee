/** Services that refuse the empty list as it is sent, and take a request without it. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { encodeRequest } from '@/lib/contract/request'
import { db } from '@/lib/portal/base/db'
import { startJob } from '@/lib/portal/jobs/start'
import { findJob } from '@/lib/portal/jobs/view'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { callConnection } from '@/lib/portal/upstream/unattended'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { forgetProcess } from '@/tests/support/reset-process'
import type { ModelAnswer } from '@/tests/support/upstream/model'
import { startUpstream } from '@/tests/support/upstream/upstream'
import { openDesk } from '../spine/desk'

const patience = { timeout: 20_000 }
const filesOnly = { files: '1', database: '0', tables: [] }

type Refuses = NonNullable<Parameters<typeof startUpstream>[0]>['refuses']

async function openScene(refuses: Refuses, extensions = false) {
  const database = await openPortalDatabase()
  const upstream = await startUpstream({ extensions, ...(refuses && { refuses }) })
  upstream.addServer({ name: 'web-01' })
  const id = upstream.addSite({ domain: 'first.example' })
  const team = await createTeam()
  const actor = await team.join('owner')
  await team.connect(upstream)
  await listServers(actor)
  const siteId = (await listSites(actor)).sites[0]?.id ?? ''
  return {
    /** How the job ended, and the tables of each request that it sent. */
    async run(operation: typeof contract.apps.pull | typeof contract.apps.push, fields: Record<string, unknown>) {
      const path = `/sites/${id}/apps/${operation.id === 'apps.pull' ? 'pull' : 'push'}`
      const before = upstream.callsTo('POST', path).length
      const started = await startJob(actor, operation, { siteId }, fields, { confirmName: 'first.example' })
      const jobId = started.ok ? started.data.jobId : ''
      await expect.poll(async () => (await findJob(actor, jobId))?.endedAt ?? null, patience).not.toBeNull()
      const sent = upstream.callsTo('POST', path).slice(before)
      return { state: (await findJob(actor, jobId))?.state, tables: sent.map((call) => call.fields.tables ?? 'absent') }
    },
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

const answer = (status: number, body: Record<string, unknown>) => ({ status, body: { success: false, ...body } })

const inWords = answer(422, { error: 'Every item of tables must have a name.' })

const refusing =
  (refusal: ModelAnswer): Refuses =>
  ({ fields }) =>
    Array.isArray(fields.tables) && fields.tables.includes('') ? refusal : null

test.each([
  ['in words', inWords],
  ['by field', answer(422, { message: 'The given data was invalid.', errors: { 'tables.0': ['The tables.0 field is required.'] } })],
  ['by pointer', answer(422, { errors: [{ source: { pointer: '/tables/0' }, detail: 'must have at least 1 character' }] })],
  ['in the codes of the interface', answer(422, { code: 'invalid', error: 'A field is invalid.', fields: { tables: 'Empty name.' } })],
])('a 422 that names the tables %s: the list is sent once more without, and then never with that connection', async (_, refusal) => {
  await using scene = await openScene(refusing(refusal))
  expect(await scene.run(contract.apps.pull, filesOnly)).toEqual({ state: 'done', tables: [[''], 'absent'] })
  expect(await scene.run(contract.apps.push, filesOnly)).toEqual({ state: 'done', tables: ['absent'] })
  const tables = ['wp_posts']
  expect(await scene.run(contract.apps.pull, { ...filesOnly, database: '1', tables })).toEqual({ state: 'done', tables: [tables] })
  // Another process learns it again.
  forgetProcess()
  expect(await scene.run(contract.apps.push, filesOnly)).toEqual({ state: 'done', tables: [[''], 'absent'] })
})

test('a service that answers with streams is asked once more too', async () => {
  await using scene = await openScene(refusing(inWords), true)
  expect(await scene.run(contract.apps.pull, filesOnly)).toEqual({ state: 'done', tables: [[''], 'absent'] })
})

test('a service that takes the empty list gets it', async () => {
  await using scene = await openScene(undefined)
  for (const operation of [contract.apps.pull, contract.apps.push])
    expect(await scene.run(operation, filesOnly)).toEqual({ state: 'done', tables: [['']] })
})

test.each([
  ['that names something else', answer(422, { error: 'The files are locked.' })],
  ['with another status', answer(400, { error: 'The tables are wrong.' })],
  ['that is an error of the service', answer(503, { error: 'The tables are wrong.' })],
])('a refusal %s is final: nothing is sent again', async (_, refusal) => {
  await using scene = await openScene(refusing(refusal))
  for (let n = 0; n < 2; n += 1) expect(await scene.run(contract.apps.pull, filesOnly)).toEqual({ state: 'failed', tables: [['']] })
})

test('an empty list that means something is never left out: the service may take a missing one for all', async () => {
  await using scene = await openScene(refusing(inWords))
  const fields = { files: '0', database: '1', tables: [] }
  for (let n = 0; n < 2; n += 1) expect(await scene.run(contract.apps.pull, fields)).toEqual({ state: 'failed', tables: [['']] })
  expect(await scene.run(contract.apps.pull, filesOnly)).toEqual({ state: 'done', tables: [[''], 'absent'] })
  expect(await scene.run(contract.apps.pull, fields)).toEqual({ state: 'failed', tables: [['']] })
})

test('a deletion of nothing is never sent without its list', async () => {
  await using desk = await openDesk('operator', {
    refuses: ({ fields }) => ('ids' in fields ? answer(422, { error: 'The ids field is required.' }) : null),
  })
  const path = `/servers/${desk.upstreamId}/deletemessages`
  const connection = await db().connection.findFirstOrThrow()
  const request = encodeRequest(contract.mail.delete, { server_id: desk.upstreamId, ids: [] }, connection)
  expect(await callConnection(connection, contract.mail.delete, request)).toMatchObject({ problem: { code: 'upstream_failed' } })
  expect(desk.upstream.callsTo('POST', path).map(({ fields }) => fields.ids)).toEqual([['']])
})

test('tables that were chosen are not left out, whatever the service says of them', async () => {
  await using scene = await openScene(({ fields }) => (Array.isArray(fields.tables) ? inWords : null))
  const chosen = { ...filesOnly, database: '1', tables: ['wp_posts'] }
  expect(await scene.run(contract.apps.push, chosen)).toEqual({ state: 'failed', tables: [['wp_posts']] })
})

test('a service that refuses the request without the list too is not remembered', async () => {
  await using scene = await openScene(({ path }) => (path.includes('/apps/') ? inWords : null))
  for (let n = 0; n < 2; n += 1)
    expect(await scene.run(contract.apps.pull, filesOnly)).toEqual({ state: 'failed', tables: [[''], 'absent'] })
})
