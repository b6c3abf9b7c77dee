/** What every provider must do for its mail queue over HTTP. */
import { expect } from 'vitest'
import { get, type Said, send, type Target } from '../support/caller'

/** A server with at least four queued messages: one to several recipients, one a bounce. */
export type MailTarget = Target & { id: string }

export type ListedMessage = Record<'id' | 'size' | 'date' | 'sender' | 'recipient', string>

export async function listMessages(target: MailTarget): Promise<ListedMessage[]> {
  const { status, body } = await get(target, `/servers/${target.id}/messages`)
  expect({ status, success: body.success }).toEqual({ status: 200, success: true })
  return body.messages as ListedMessage[]
}

export const deleteMessages = (target: MailTarget, ids: readonly string[]): Promise<Said> =>
  send(target, `/servers/${target.id}/deletemessages`, new URLSearchParams(ids.map((id) => ['ids[]', id])))

const done = { status: 200, body: { success: true } }

const notOurs = [
  'ALL',
  'ALL.0',
  '-',
  '-d',
  '*',
  '../../etc',
  '',
  '4Xk2',
  'ABCDEF12',
  "ABCDEF12.1'; reboot; '",
  '$(reboot).1',
  'ABCDEF12.1\nALL',
]

export async function proveMail(target: MailTarget): Promise<void> {
  const messages = await listMessages(target)
  expect(messages.length).toBeGreaterThanOrEqual(4)
  for (const message of messages) {
    expect(message).toEqual({
      id: expect.stringMatching(/^\w+\.\d+$/),
      size: expect.stringMatching(/^\d+$/),
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      sender: expect.stringMatching(/./),
      recipient: expect.stringMatching(/@/),
    })
  }
  expect(messages.map(({ date }) => date)).toEqual(messages.map(({ date }) => date).sort())
  expect(messages.filter(({ recipient }) => recipient.includes(', '))).not.toEqual([])
  expect(messages.filter(({ sender }) => sender === 'MAILER-DAEMON')).not.toEqual([])
  await proveMailRefusals(target)
  expect(await listMessages(target)).toEqual(messages)

  const [first, second, third, ...rest] = messages
  const [one, two, three] = [first?.id ?? '', second?.id ?? '', third?.id ?? '']
  // Mail servers may reuse the id of a deleted message: with another time it is another message.
  expect(await deleteMessages(target, [one.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10))])).toMatchObject(done)
  expect(await listMessages(target)).toEqual(messages)
  for (const said of await Promise.all([deleteMessages(target, [one, two]), deleteMessages(target, [two, three, one])])) {
    expect(said).toMatchObject(done)
  }
  expect(await listMessages(target)).toEqual(rest)
  expect(await deleteMessages(target, [one, rest[0]?.id ?? ''])).toMatchObject(done)
  expect(await listMessages(target)).toEqual(rest.slice(1))
}

async function proveMailRefusals(target: MailTarget): Promise<void> {
  for (const id of notOurs) {
    expect([id, await deleteMessages(target, [id])]).toMatchObject([
      id,
      { status: 422, body: { code: 'invalid', fields: { ids: expect.any(String) } } },
    ])
  }
  expect(await deleteMessages(target, [])).toMatchObject({ status: 422, body: { code: 'invalid' } })
  const absent = { ...target, id: 'no-such-server' }
  for (const said of [await deleteMessages(absent, ['ABCDEF12.1']), await get(target, '/servers/no-such-server/messages')]) {
    expect(said).toMatchObject({ status: 404, body: { code: 'not_found' } })
  }
}
