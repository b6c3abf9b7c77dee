import { totalBytes } from '@/app/_ui/size'
import type { Answer } from '@/lib/contract/operation'
import type { mail } from '@/lib/contract/operations/mail'

export type MailAnswer = Answer<typeof mail.list>
export type Message = MailAnswer['messages'][number]

/** Messages of one sender; bytes: null if any size is unknown. oldest: ISO, null if no date is understood. */
export type Group = { sender: string; messages: readonly Message[]; bytes: number | null; oldest: string | null }

/** The interface's date, which the bundled service reports in UTC; null if it is not a date. */
export function isoOf({ date }: Pick<Message, 'date'>): string | null {
  const match = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)$/.exec(date)
  const time = match ? Date.parse(`${match[1]}T${match[2]}Z`) : Number.NaN
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

/** The senders with most messages first. */
export function groupBySender(messages: readonly Message[]): Group[] {
  const bySender = new Map<string, Message[]>()
  for (const message of messages) {
    const group = bySender.get(message.sender)
    if (group) group.push(message)
    else bySender.set(message.sender, [message])
  }
  return [...bySender]
    .map(([sender, own]) => ({ sender, messages: own, bytes: totalBytes(own), oldest: oldestOf(own) }))
    .sort((one, other) => other.messages.length - one.messages.length)
}

export function oldestOf(messages: readonly Message[]): string | null {
  const times = messages.flatMap((message) => isoOf(message) ?? [])
  return times.reduce<string | null>((oldest, time) => (oldest === null || time < oldest ? time : oldest), null)
}

/** The empty sender of bounces, which Postfix calls by this name. */
export const formatSender = (sender: string): string => (sender === '' || sender === 'MAILER-DAEMON' ? 'Bounces (no sender)' : sender)

/** The first few by name, and how many more. */
export function formatRecipients(recipient: string): string {
  const [first = '', second, ...rest] = recipient.split(', ')
  if (second === undefined) return first
  return rest.length === 0 ? `${first}, ${second}` : `${first}, ${second} and ${rest.length} more`
}
