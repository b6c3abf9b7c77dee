/** The mail queue as Postfix prints it, one JSON object per line. Parsing and rendering are inverse. */
import * as z from 'zod'
import { problem } from '@/lib/contract/problem'

/** A queued message. Postfix calls the empty sender of bounces MAILER-DAEMON. */
export type QueuedMail = {
  queueId: string
  /** Seconds since 1970. */
  arrivedAt: number
  bytes: number
  sender: string
  recipients: readonly string[]
}

/** As the interface reports it. id: the id that delete takes. */
export type QueuedMessage = { id: string; size: string; date: string; sender: string; recipient: string }

const line = z.object({
  queue_id: z.string().regex(/^[0-9A-Za-z]{5,40}$/),
  arrival_time: z.number().int().min(0).max(9_999_999_999),
  message_size: z.number().min(0),
  sender: z.string(),
  recipients: z.array(z.object({ address: z.string() })),
})

/** Oldest first. Lists a message once even if Postfix moved it while printing; skips incomplete lines. */
export function parseQueue(printed: string): QueuedMail[] {
  const known = new Map<string, QueuedMail>()
  for (const text of printed.split('\n')) {
    const mail = parseLine(text)
    if (mail) known.set(idOf(mail), mail)
  }
  return [...known.values()].sort((one, other) => one.arrivedAt - other.arrivedAt)
}

function parseLine(text: string): QueuedMail | null {
  const { success, data } = line.safeParse(readJson(text))
  if (!success) return null
  const { queue_id: queueId, arrival_time: arrivedAt, message_size: bytes, sender } = data
  return { queueId, arrivedAt, bytes, sender, recipients: data.recipients.map(({ address }) => address) }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export function renderQueue(mails: readonly QueuedMail[]): string {
  return mails.map((mail) => `${renderLine(mail)}\n`).join('')
}

const renderLine = ({ queueId, arrivedAt, bytes, sender, recipients }: QueuedMail): string =>
  JSON.stringify({
    queue_name: 'deferred',
    queue_id: queueId,
    arrival_time: arrivedAt,
    message_size: bytes,
    forced_expire: false,
    sender,
    recipients: recipients.map((address) => ({ address })),
  })

/** Postfix reuses a queue id once its message is gone; only with the arrival time does it identify one message. */
export const idOf = ({ queueId, arrivedAt }: Pick<QueuedMail, 'queueId' | 'arrivedAt'>): string => `${queueId}.${arrivedAt}`

/** Whether the text can be a message id; excludes ALL, which postsuper would take as all messages. */
export const isMessageId = (id: string): boolean => /^[0-9A-Za-z]{5,40}\.\d{1,10}$/.test(id)

export function messageOf(mail: QueuedMail): QueuedMessage {
  return {
    id: idOf(mail),
    size: String(mail.bytes),
    date: new Date(mail.arrivedAt * 1000).toISOString().slice(0, 19).replace('T', ' '),
    sender: mail.sender,
    recipient: mail.recipients.join(', '),
  }
}

/** The problem for a server without Postfix. */
export const withoutPostfix = problem('not_installed', {
  sentence: 'Postfix is not installed on this server, so there is no mail queue. Install the server first.',
})
