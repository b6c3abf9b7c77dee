/** Mail, Slack-compatible and ntfy: a real SMTP server and a real HTTP receiver. */
import { expect, test } from 'vitest'
import { addChannel, testChannel } from '@/lib/portal/delivery/change'
import { listChannels } from '@/lib/portal/delivery/view'
import { startHookReceiver } from '@/tests/support/hook-receiver'
import { startMailServer } from '@/tests/support/mail-server'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { add, everyTopic, minute, startClock, tell } from './scene'

const mailFrom = { MAIL_FROM: 'gatehouse@example.org' }

test('mail goes to the address of the account, with what happened as its subject, and that it was accepted is listed', async () => {
  await using mail = await startMailServer()
  await using _ = await openPortalDatabase({ environment: { SMTP_URL: mail.url, ...mailFrom } })
  const team = await createTeam('Lantern works')
  const [actor, clock] = [await team.join('viewer'), startClock()]
  await add(actor, { kind: 'mail', email: 'somebody@else.example' })
  await tell(actor, clock, 'One')
  await clock.pass(2 * minute)
  expect(mail.received).toMatchObject([{ to: actor.user.email }])
  const [{ text } = { text: '' }] = mail.received
  expect(text).toContain('/account/notifications')
  expect(text).toContain('Lantern works')
  expect((await listChannels(actor))[0]?.deliveries).toMatchObject([{ state: 'done', status: 250, answer: 'Accepted.' }])
  for (const name of ['Two', 'Three']) await tell(actor, clock, name)
  await clock.pass(2 * minute)
  expect(mail.received).toHaveLength(2)
  expect(mail.received[1]?.text).toContain('Subject: Gatehouse: 2 notifications')
})

test('a mail that is refused is tried again, and the answer says why', async () => {
  await using mail = await startMailServer({ refuses: true })
  await using _ = await openPortalDatabase({ environment: { SMTP_URL: mail.url, ...mailFrom } })
  const [actor, clock] = [await (await createTeam()).join('viewer'), startClock()]
  await add(actor, { kind: 'mail' })
  await tell(actor, clock, 'One')
  await clock.pass(10 * minute)
  const [channel] = await listChannels(actor)
  expect(channel).toMatchObject({
    failures: 4,
    deliveries: [{ state: 'waiting', attempts: 4, status: 450, answer: expect.stringContaining('no thanks') }],
  })
})

test('without a mail server there is no channel by mail', async () => {
  await using _ = await openPortalDatabase()
  const actor = await (await createTeam()).join('owner')
  const fields = { kind: 'mail', label: 'x', topics: everyTopic, timeZone: 'UTC' }
  expect(await addChannel(inputOf(actor, fields))).toMatchObject({ ok: false, problem: { fields: { kind: expect.any(String) } } })
})

test('Slack-compatible: text, in which the names that others chose address nobody and are no links', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const [actor, clock] = [await (await createTeam()).join('owner'), startClock()]
  const { secret } = await add(actor, { kind: 'slack', url: `${receiver.origin}/services/T000/B000/the-secret-part` })
  expect(secret).toBe('')
  await tell(actor, clock, '<!channel> @here [click](https://evil.example)')
  await clock.pass(2 * minute)
  const { text } = JSON.parse(receiver.received[0]?.body ?? '{}')
  expect(text).toContain('Robin froze the connection')
  expect(text).not.toMatch(/<!|@here|\]\(/)
  expect(text).toContain('&lt;!channel&gt;')
})

test('ntfy: published to the root of the server with the topic, signed in with the token, which no answer shows', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const actor = await (await createTeam('Lantern works')).join('owner')
  receiver.answer(403, ({ headers, body }) => `forbidden for ${headers.authorization} ${JSON.parse(body).topic}`)
  const { channelId } = await add(actor, { kind: 'ntfy', url: `${receiver.origin}/the-secret-topic`, token: 'tk_the-secret-token' })
  const tried = await testChannel(inputOf(actor, { channelId }))
  const [got] = receiver.received
  expect(got).toMatchObject({ path: '/', headers: { authorization: 'Bearer tk_the-secret-token' } })
  expect(JSON.parse(got?.body ?? '{}')).toMatchObject({ topic: 'the-secret-topic', title: 'Gatehouse, Lantern works' })
  expect(tried).toMatchObject({ data: { ok: false, status: 403, answer: expect.stringContaining('forbidden') } })
  expect(JSON.stringify([tried, await listChannels(actor)])).not.toContain('the-secret')
})

test.each([
  [{ kind: 'carrier-pigeon' }, 'kind'],
  [{ kind: 'webhook', url: '' }, 'url'],
  [{ kind: 'webhook', label: ' ' }, 'label'],
  [{ kind: 'webhook', topics: 'weather' }, 'topics'],
  [{ kind: 'webhook', quietFrom: '22:00' }, 'quietTo'],
  [{ kind: 'webhook', quietFrom: '25:00', quietTo: '07:00' }, 'quietFrom'],
  [{ kind: 'webhook', timeZone: 'Mars/Olympus' }, 'timeZone'],
  [{ kind: 'ntfy', url: 'https://ntfy.example/' }, 'url'],
])('%j is refused at the field %s', async (fields, at) => {
  await using _ = await openPortalDatabase()
  const actor = await (await createTeam()).join('owner')
  const given = { label: 'Pager', topics: everyTopic, timeZone: 'UTC', url: 'https://hooks.example/in', ...fields }
  expect(await addChannel(inputOf(actor, given))).toMatchObject({
    ok: false,
    problem: { code: 'invalid', fields: { [at]: expect.any(String) } },
  })
})
