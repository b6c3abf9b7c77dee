/** Parses the output of `postqueue -j`. The lines were recorded on Debian 12 and 13. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { idOf, isMessageId, messageOf, parseQueue, type QueuedMail, renderQueue } from '@/lib/service/machines/mail-queue'

const recorded = [
  '{"queue_name": "hold", "queue_id": "87F2D4EC", "arrival_time": 1795295926, "message_size": 235, "forced_expire": false, "sender": "short@example.net", "recipients": [{"address": "a@example.org"}]}',
  '{"queue_name": "deferred", "queue_id": "8DAE64E8", "arrival_time": 1795295922, "message_size": 236, "forced_expire": false, "sender": "zażółć@example.net", "recipients": [{"address": "o\'brien@example.org"}]}',
  '{"queue_name": "deferred", "queue_id": "8A6134E5", "arrival_time": 1795295921, "message_size": 222, "forced_expire": false, "sender": "MAILER-DAEMON", "recipients": [{"address": "a@example.org"}]}',
  '{"queue_name": "deferred", "queue_id": "82FE54DB", "arrival_time": 1795295920, "message_size": 229, "forced_expire": false, "sender": "cron@example.net", "recipients": [{"address": "c@example.com", "delay_reason": "deferred transport"}, {"address": "\\"odd name\\"@example.org", "delay_reason": "deferred transport"}]}',
].join('\n')

test('messages are listed oldest first, with every recipient, and a date in UTC', () => {
  expect(parseQueue(recorded).map(messageOf)).toEqual([
    {
      id: '82FE54DB.1795295920',
      size: '229',
      date: '2026-11-21 21:18:40',
      sender: 'cron@example.net',
      recipient: 'c@example.com, "odd name"@example.org',
    },
    { id: '8A6134E5.1795295921', size: '222', date: '2026-11-21 21:18:41', sender: 'MAILER-DAEMON', recipient: 'a@example.org' },
    { id: '8DAE64E8.1795295922', size: '236', date: '2026-11-21 21:18:42', sender: 'zażółć@example.net', recipient: "o'brien@example.org" },
    { id: '87F2D4EC.1795295926', size: '235', date: '2026-11-21 21:18:46', sender: 'short@example.net', recipient: 'a@example.org' },
  ])
})

test('a message listed twice appears once, and truncated or malformed lines are skipped', () => {
  const lines = recorded.split('\n')
  expect(parseQueue([...lines, lines[1]].join('\n'))).toEqual(parseQueue(recorded))
  const cut = `${recorded}\n${lines[0]?.slice(0, 90)}`
  const nonsense =
    '{"queue_id": "ALL", "arrival_time": 1, "message_size": 1, "sender": "a", "recipients": []}\n[]\nnull\nMail queue is empty'
  expect(parseQueue(`${cut}\n${nonsense}`)).toEqual(parseQueue(recorded))
  expect(parseQueue('')).toEqual([])
})

const address = fc.string({ unit: fc.constantFrom(...'ab"\\\n\t{}[]:,\'@ ż🦊\u0001\u202e') })
const mail: fc.Arbitrary<QueuedMail> = fc.record({
  queueId: fc.stringMatching(/^[0-9A-Za-z]{5,40}$/),
  arrivedAt: fc.integer({ min: 0, max: 9_999_999_999 }),
  bytes: fc.nat(),
  sender: address,
  recipients: fc.array(address),
})

test('parsing rendered messages returns the same messages, whatever their addresses contain', () => {
  fc.assert(
    fc.property(fc.uniqueArray(mail, { selector: idOf }), (mails) => {
      const inOrder = mails.toSorted((one, other) => one.arrivedAt - other.arrivedAt)
      expect(parseQueue(renderQueue(mails))).toEqual(inOrder)
      expect(mails.map(idOf).every(isMessageId)).toBe(true)
    }),
  )
})
