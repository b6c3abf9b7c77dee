/** A service that repeats a password in its reason. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { encodeRequest } from '@/lib/contract/request'
import { startJob } from '@/lib/portal/jobs/start'
import { findJob } from '@/lib/portal/jobs/view'
import { runOperation } from '@/lib/portal/subjects/spine'
import { secretsOf } from '@/lib/portal/upstream/secrets-of'
import { storedLines } from '@/tests/support/portal-install'
import { openDesk } from '../spine/desk'

const pass = `hunter2  & "c'o"`
const written = JSON.stringify(pass).slice(1, -1)
const quoted = (text: string) => ({ sentence: `The service could not do this: \u2068${text}\u2069` })

test.each([
  ['in a sentence', { error: `The password ${pass} is too common.` }, quoted('The password … is too common.')],
  [
    'with a code of the interface',
    { code: 'invalid', error: `No: ${pass}`, fields: { pass: `Not ${pass}.` } },
    { sentence: 'No: …', fields: { pass: 'Not ….' } },
  ],
  ['where the reason is cut', { error: `${'x '.repeat(145)}${pass}` }, quoted(`${'x '.repeat(145)}…`)],
  ['in what it was sent', { errors: [{ message: `Wrong: {"pass":"${written}"}` }] }, quoted('Wrong: {"pass":"…"}')],
  ['for a page', { message: 'Not hunter2  &amp; &quot;c&#039;o&quot;.' }, quoted('Not ….')],
  ['for an address', { detail: `At ?pass=${encodeURIComponent(pass)}.` }, quoted('At ?pass=….')],
])('security 1: a password that a service repeats %s is not shown', async (_, body, shown) => {
  await using desk = await openDesk('operator', {
    refuses: ({ fields }) => ('pass' in fields ? { status: 422, body: { success: false, ...body } } : null),
  })
  const { actor, serverId } = desk
  expect(await runOperation(actor, contract.users.save, { serverId }, { user: 'deploy', pass })).toMatchObject({
    ok: false,
    problem: shown,
  })
})

test('security 1: a private key is hidden as a whole and in each of its lines; what is too short to be found in other words is not', () => {
  const key = '-----BEGIN KEY-----\nab/cd+ef\ngh=\n-----END KEY-----\n'
  const input = { server_id: '1', host: 'a.example', user: 'root', port: '22', pass: key }
  const secrets = secretsOf(contract.servers.resetKey, encodeRequest(contract.servers.resetKey, input, { extensions: false }))
  for (const text of [key, key.trim(), 'ab/cd+ef', 'ab%2Fcd%2Bef']) expect(secrets).toContain(text)
  expect(secrets).not.toContain('gh=')
  expect(secrets).not.toContain('')
})

test('security 1: a password that a service repeats in the lines of a job is not shown', async () => {
  await using desk = await openDesk('operator', { extensions: true })
  const { actor, serverId, upstream } = desk
  const password = 'server is unreachable'
  upstream.model.siteLines = { steps: [`the ${password}`], msPerLine: 0, lost: true }
  const started = await startJob(actor, contract.sites.create, { serverId }, { domain: 'first.example', password })
  const jobId = started.ok ? started.data.jobId : ''
  await expect.poll(async () => (await findJob(actor, jobId))?.state, { timeout: 20_000 }).toBe('done')
  const lines = await storedLines(jobId)
  expect(lines).toMatchObject([{ message: 'Doing the …', step: 'the …' }, { message: 'The …. The work may still be running there.' }])
  expect(JSON.stringify(lines)).not.toContain(password)
})

test('security 1: a password that a service repeats instead of a stream is not shown', async () => {
  await using desk = await openDesk('operator', { extensions: true })
  const { actor, serverId, upstream } = desk
  upstream.set('success-false', { path: '/sites/create' })
  const fields = { domain: 'first.example', password: 'server is locked' }
  const started = await startJob(actor, contract.sites.create, { serverId }, fields)
  const jobId = started.ok ? started.data.jobId : ''
  await expect.poll(async () => (await findJob(actor, jobId))?.state, { timeout: 20_000 }).toBe('failed')
  expect((await findJob(actor, jobId))?.problem).toMatchObject(quoted('The ….'))
})
