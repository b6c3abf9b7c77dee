import { expect, test } from 'vitest'
import { filterRows, indexRows } from '@/app/_shared/collection/rows'
import {
  formatRecipients,
  formatSender,
  groupBySender,
  isoOf,
  type Message,
  mailCollection,
  messageRow,
  oldestOf,
} from '@/app/(portal)/servers/[serverId]/mail/mail-view'

const message = (id: string, more: Partial<Message> = {}): Message => ({
  id,
  size: '100',
  date: '2026-11-21 10:17:00',
  sender: 'a@example.net',
  recipient: 'b@example.org',
  ...more,
})

const filterMessages = (messages: readonly Message[], search: string) =>
  filterRows(mailCollection, indexRows(mailCollection, messages.map(messageRow)), { ...mailCollection.query.whole, search })

test('every word of a filter has to stand somewhere in a message', () => {
  const messages = [message('1'), message('2', { recipient: 'B@Elsewhere.test' }), message('3', { sender: 'MAILER-DAEMON' })]
  const found = (search: string) => filterMessages(messages, search).map(({ id }) => id)
  expect(found('')).toEqual(['1', '2', '3'])
  expect(found('  elsewhere EXAMPLE.net ')).toEqual(['2'])
  expect(found('daemon')).toEqual(['3'])
  expect(found('daemon elsewhere')).toEqual([])
})

test('senders are grouped with their messages, those with most messages first, and with their size if each has one', () => {
  const messages = [
    message('1'),
    message('2', { sender: 'c@example.net', date: '2026-11-20 10:00:00' }),
    message('3', { sender: 'c@example.net', size: '4.2 KB' }),
  ]
  expect(groupBySender(messages).map(({ sender, bytes, oldest, messages: own }) => [sender, own.length, bytes, oldest])).toEqual([
    ['c@example.net', 2, null, '2026-11-20T10:00:00.000Z'],
    ['a@example.net', 1, 100, '2026-11-21T10:17:00.000Z'],
  ])
})

test('an invalid date is shown as it came, and an empty sender is a bounce', () => {
  expect(isoOf({ date: 'yesterday' })).toBeNull()
  expect(isoOf({ date: '2026-13-41 10:00:00' })).toBeNull()
  expect(oldestOf([message('1', { date: '' })])).toBeNull()
  expect([formatSender(''), formatSender('MAILER-DAEMON'), formatSender('x@y.test')]).toEqual([
    'Bounces (no sender)',
    'Bounces (no sender)',
    'x@y.test',
  ])
})

test('the first two recipients are named and the rest counted', () => {
  expect(['', 'a', 'a, b', 'a, b, c, d'].map(formatRecipients)).toEqual(['', 'a', 'a, b', 'a, b and 2 more'])
})
