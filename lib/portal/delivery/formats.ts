/** A message in the form that each kind of channel takes. Pure. docs/notifications.md describes the webhook. */
import 'server-only'
import { createHmac } from 'node:crypto'
import type { Line } from './plan'

/** id: stays the same when it is sent again. lines: for a test or a digest, without events, what it says. publicUrl: where the portal is. */
export type Message = {
  id: string
  kind: 'events' | 'digest' | 'test'
  team: string
  at: Date
  publicUrl: URL
  events: readonly Line[]
  lines: readonly string[]
}

export type Posted = { headers: Record<string, string>; body: string }

const linkOf = ({ publicUrl }: Message, href: string | null): string | null => (href === null ? null : new URL(href, publicUrl).href)

/** "web-1 is reachable again. (3 events)" */
const sayLine = ({ text, times }: Line): string => (times === 1 ? text : `${text} (${times} events)`)

const sentencesOf = ({ events, lines }: Message): string[] => [...events.map(sayLine), ...lines]

/** Every text and line of a message, without what is said about it. */
export const textsOf = ({ events, lines }: Message): string[] => [...events.map(({ text }) => text), ...lines]

/** Of one kind, before the others have their turn. */
const maxOfKind = 20

/** For people: what there are many of is listed after the first ones of each kind, so that it hides nothing. */
function inTurns(events: readonly Line[]): { first: readonly Line[]; more: readonly Line[] } {
  const counts = new Map<string, number>()
  const [first, more]: [Line[], Line[]] = [[], []]
  for (const line of events) {
    const count = (counts.get(line.kind) ?? 0) + 1
    counts.set(line.kind, count)
    const turn = count > maxOfKind ? more : first
    turn.push(line)
  }
  return { first, more }
}

/** "and 180 more", with the page of all of them; nothing if there are none. */
function sayMore({ publicUrl }: Message, { length }: readonly Line[]): { text: string; link: string }[] {
  return length === 0 ? [] : [{ text: `and ${length} more:`, link: new URL('/notifications', publicUrl).href }]
}

/** For a subject or a title, on one line. */
function titleOf(message: Message): string {
  const [first = ''] = sentencesOf(message)
  const title = message.kind === 'events' && message.events.length > 1 ? `${message.events.length} notifications` : first
  return title.replace(/\s+/g, ' ').slice(0, 120)
}

/** The signature is over the time and the body, so that neither can be changed, nor an old message sent again much later. */
export function toWebhook(message: Message, secret: string): Posted {
  const time = String(Math.floor(message.at.getTime() / 1000))
  const body = JSON.stringify({
    id: message.id,
    kind: message.kind,
    team: message.team,
    events: message.events.map(({ kind, text, href, at, times }) => ({ kind, text, url: linkOf(message, href), at, times })),
    lines: message.lines,
  })
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'gatehouse-delivery': message.id,
    'gatehouse-time': time,
    'gatehouse-signature': `v1=${signature}`,
  }
  return { headers, body }
}

/** `text` alone, which Slack, Mattermost and Teams take. */
export function toSlack(message: Message): Posted {
  const { first, more } = inTurns(message.events)
  const lines = [
    ...first.map((line) => {
      const link = linkOf(message, line.href)
      return `${disarm(sayLine(line))}${link === null ? '' : ` ${link}`}`
    }),
    ...sayMore(message, more).map(({ text, link }) => `${text} ${link}`),
    ...message.lines.map(disarm),
  ]
  const body = JSON.stringify({ text: [`Gatehouse, ${disarm(message.team)}`, ...lines].join('\n') })
  return { headers: { 'content-type': 'application/json' }, body }
}

/** Names that others chose address nobody and become no links: Slack reads <!channel>, Mattermost @channel and [links](to). */
function disarm(text: string): string {
  const escaped = text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
  return escaped.replace(/@/g, '@\u200b').replace(/\]\(/g, ']\u200b(')
}

/** Servers of ntfy refuse a body of more than 4,096 bytes, or make a file of it. */
const maxNtfyBytes = 3_900

/** More never fit. */
const maxNtfyLines = 200

/** Enough of a sentence that is too long alone, as of a server with very many domains. */
const maxNtfyChars = 500

/** To the root of an ntfy server, which finds the topic in the body. Of a long message the first lines. */
export function toNtfy(message: Message, topic: string, token: string | undefined): Posted {
  const link = message.events.length === 1 ? linkOf(message, message.events[0]?.href ?? null) : null
  const click = link ?? new URL(message.kind === 'events' ? '/notifications' : '/', message.publicUrl).href
  const bodyOf = (text: string) => JSON.stringify({ topic, title: `Gatehouse, ${message.team}`, message: text, click })
  const fits = (text: string) => Buffer.byteLength(bodyOf(text)) < maxNtfyBytes
  const { first, more } = inTurns(message.events)
  const body = bodyOf(firstLines(sentencesOf({ ...message, events: [...first, ...more] }), fits))
  return { headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }, body }
}

/** As many whole lines as fit, and how many more there are. */
function firstLines(lines: readonly string[], fits: (text: string) => boolean): string {
  const cutAt = (count: number) =>
    [...lines.slice(0, count), ...(count < lines.length ? [`and ${lines.length - count} more`] : [])].join('\n')
  for (let count = Math.min(lines.length, maxNtfyLines); count > 0; count -= 1) if (fits(cutAt(count))) return cutAt(count)
  const [first = '', ...more] = lines
  const start = `${Array.from(first).slice(0, maxNtfyChars).join('')}…`
  return more.length === 0 ? start : `${start}\nand ${more.length} more`
}

export function toMail(message: Message): { subject: string; text: string } {
  const { first, more } = inTurns(message.events)
  const parts = [
    ...first.map((line) => [sayLine(line), linkOf(message, line.href)].filter(Boolean).join('\n')),
    ...sayMore(message, more).map(({ text, link }) => `${text}\n${link}`),
    ...(message.lines.length > 0 ? [message.lines.join('\n')] : []),
  ]
  const foot = `Team ${message.team}. What Gatehouse sends you: ${new URL('/account/notifications', message.publicUrl).href}`
  return { subject: `Gatehouse: ${titleOf(message)}`, text: `${[...parts, foot].join('\n\n')}\n` }
}
