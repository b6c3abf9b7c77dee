/** A channel and what became of a message, in words. */
import type { ChannelView, DeliveryView } from '@/lib/portal/delivery/view'

export type ChannelKind = ChannelView['kind']

export const kindNames: Readonly<Record<ChannelKind, string>> = {
  mail: 'Mail',
  webhook: 'Webhook',
  slack: 'Slack, Mattermost or Teams',
  ntfy: 'ntfy',
}

/** How many messages of one channel its page shows. */
export const mostMessages = 500

/** "Mail to your address", "Webhook at https://hooks.example". */
export function formatAddress({ kind, place, seesAs }: ChannelView): string {
  if (kind !== 'mail') return `${kindNames[kind]} at ${place}`
  return seesAs === null ? 'Mail to your address' : `Mail to ${place}`
}

/** "Sends: Servers unreachable, and reachable again · Quiet from 22:00 to 07:00". */
export function formatSettings(
  { topics, quietFrom, quietTo, digestAt, timeZone }: ChannelView,
  names: Readonly<Record<string, string>>,
): string[] {
  const zone = timeZone.replaceAll('_', ' ')
  return [
    ...topics.map((topic) => names[topic] ?? topic),
    ...(digestAt === '' ? [] : [`Summary every day at ${digestAt} (${zone})`]),
    ...(quietFrom === '' ? [] : [`Quiet from ${quietFrom} to ${quietTo} (${zone})`]),
  ]
}

type Tone = 'done' | 'ok' | 'warn' | 'danger' | 'neutral'

export function stateOf({ off, failures, seesAs }: ChannelView): { tone: Tone; label: string } {
  if (off === 'member') return { tone: 'neutral', label: 'Off' }
  if (off === 'gatehouse') return { tone: 'danger', label: 'Turned off after 20 failures' }
  if (seesAs !== null && seesAs.name === null) return { tone: 'warn', label: 'Sends nothing' }
  return failures > 0 ? { tone: 'warn', label: 'Failing, retrying' } : { tone: 'ok', label: 'On' }
}

const states: Readonly<Record<DeliveryView['state'], { tone: Tone; label: string }>> = {
  waiting: { tone: 'warn', label: 'Waiting' },
  done: { tone: 'done', label: 'Accepted' },
  failed: { tone: 'danger', label: 'Failed' },
  dropped: { tone: 'neutral', label: 'Not sent' },
}

export const stateOfDelivery = ({ state }: DeliveryView) => states[state]

/** What it says, or, as far as the reader does not see that, how much it is. */
export function formatContent({ kind, count, texts }: DeliveryView): string {
  if (kind === 'test') return 'Test'
  if (kind === 'digest') return 'Daily summary'
  const [first] = texts
  if (first === undefined) return `${count} ${count === 1 ? 'notification' : 'notifications'}`
  return count === 1 ? first : `${first} And ${count - 1} more.`
}

/** "200 Accepted.", "No answer: The service could not be reached.", and what says its status itself as it is: "502 Bad Gateway". */
export function formatAnswer({ status, answer }: Pick<DeliveryView, 'status' | 'answer'>): string {
  if (status === null) return `No answer: ${answer}`
  return answer.startsWith(`${status}`) ? answer : `${status} ${answer}`.trim()
}
