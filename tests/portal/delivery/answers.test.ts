/** What is stored and shown of a receiver's answer: neither what was sent, which its reader need not see, nor where to. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { testChannel } from '@/lib/portal/delivery/change'
import { listChannels } from '@/lib/portal/delivery/view'
import { startHookReceiver } from '@/tests/support/hook-receiver'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { add, minute, startClock, tell } from './scene'

const answers = async () => (await db().delivery.findMany()).map(({ status, answer }) => `${status} ${answer}`)

test('of a message that was accepted only that and the status are stored, as ntfy returns the whole of it', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const [actor, clock] = [await (await createTeam()).join('owner'), startClock()]
  receiver.answer(200, ({ body }) => body)
  const { channelId } = await add(actor, { kind: 'ntfy', url: `${receiver.origin}/the-secret-topic` })
  await tell(actor, clock, 'Harbour')
  await clock.pass(2 * minute)
  expect(receiver.received[0]?.body).toContain('Harbour')
  expect(await testChannel(inputOf(actor, { channelId }))).toMatchObject({ data: { ok: true, status: 200, answer: 'Accepted.' } })
  expect(await answers()).toEqual(['200 Accepted.', '200 Accepted.'])
})

test.each([
  ['as it came', (body: string) => `refused: ${body}`],
  ['as PHP writes JSON', (body: string) => `refused: ${body.replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16)}`)}`],
  ['as JSON in JSON', (body: string) => JSON.stringify({ error: 'refused:', got: body })],
  ['as HTML', (body: string) => `refused: ${body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')}`],
  ['on a page', (body: string) => `<html><title>refused: ${body}</title></html>`],
  ['cut within a text', (body: string) => `refused: ${body.slice(0, body.indexOf('Quay') + 2)}`],
])('of a message that was refused no text is shown that the receiver repeats: %s', async (_how, repeat) => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const [actor, clock] = [await (await createTeam()).join('owner'), startClock()]
  receiver.answer(500, ({ body }) => repeat(JSON.stringify(JSON.parse(body).events ?? body)))
  await add(actor, { kind: 'webhook', url: `${receiver.origin}/hook` })
  for (const name of ['Harbour <1> & "co"', 'Quay']) await tell(actor, clock, name)
  await clock.pass(2 * minute)
  expect(receiver.received[0]?.body).toContain('Quay')
  const [channel] = await listChannels(actor)
  expect(channel?.deliveries[0]?.answer).toContain('refused:')
  expect(channel?.deliveries[0]?.answer).not.toMatch(/Harbour|Qu|Robin|connection/)
})

test('of a page that a server on the way answers with, what it says is shown', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const actor = await (await createTeam()).join('owner')
  const { channelId } = await add(actor, { kind: 'webhook', url: `${receiver.origin}/hook` })
  const page = (title: string) =>
    `<html>\r\n<head><style>p { color: red }</style><title>${title}</title></head>\r\n<body>\r\n<h1>${title}</h1></body></html>`
  receiver.answer(502, page('502 Bad Gateway'))
  expect(await testChannel(inputOf(actor, { channelId }))).toMatchObject({ data: { status: 502, answer: '502 Bad Gateway' } })
  receiver.answer(500, ({ headers }) => page(`refused ${headers['gatehouse-delivery']} `))
  expect(await testChannel(inputOf(actor, { channelId }))).toMatchObject({ data: { answer: expect.stringContaining('refused') } })
})

test('Slack-compatible: what was disarmed on its way is hidden as well', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const [actor, clock] = [await (await createTeam()).join('owner'), startClock()]
  receiver.answer(500, ({ body }) => `refused: ${JSON.parse(body).text.split('\n')[1]}`)
  await add(actor, { kind: 'slack', url: `${receiver.origin}/services/x` })
  await tell(actor, clock, '@here <Harbour>')
  await clock.pass(2 * minute)
  const [answer = ''] = await answers()
  expect(answer).toContain('refused:')
  expect(answer).not.toContain('Harbour')
})

test('the topic of ntfy is a secret, however short', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const actor = await (await createTeam()).join('owner')
  receiver.answer(403, ({ body }) => `forbidden: ${JSON.parse(body).topic}`)
  const { channelId } = await add(actor, { kind: 'ntfy', url: `${receiver.origin}/qz7` })
  expect(await testChannel(inputOf(actor, { channelId }))).toMatchObject({ data: { ok: false, answer: 'forbidden: …' } })
})
