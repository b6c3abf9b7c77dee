/** Reads the form of a channel. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { sendsMail } from '@/lib/portal/base/mail/send'
import type { ChannelSecrets } from '@/lib/portal/custody/channel'
import { parseEmail } from '@/lib/portal/identity/email'
import { isTimeZone } from '@/lib/portal/identity/preferences'
import { createToken } from '@/lib/portal/identity/token'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { parseHookUrl } from '@/lib/portal/upstream/address'
import type { Channel, ChannelKind } from '@/prisma/generated/portal/client'
import { parseTimeOfDay } from './quiet'
import { isPersonal, isTopic } from './topics'

type Field = OwnInput['field']

/** What can be changed later. */
export type ChannelSettings = Pick<Channel, 'label' | 'topics' | 'quietFrom' | 'quietTo' | 'digestAt' | 'timeZone'>

/** place: the part of the address that may be shown. */
export type ChannelAddress = { kind: ChannelKind; place: string; secrets: ChannelSecrets }

const kinds: readonly ChannelKind[] = ['mail', 'webhook', 'slack', 'ntfy']
const maxLabel = 80

const refused = (fields: Record<string, string>) => ({ ok: false, problem: problem('invalid', { fields }) }) as const

/** Fields: label, topics (joined by commas), quietFrom and quietTo ("22:00", or both empty), digestAt ("07:00" or empty), timeZone. */
export function readSettings(field: Field, shared: boolean): Outcome<ChannelSettings> {
  const label = field('label').trim()
  if (label === '' || label.length > maxLabel) return refused({ label: `Enter a name of at most ${maxLabel} characters.` })
  const topics = field('topics').split(',').filter(isTopic)
  const times = ['quietFrom', 'quietTo', 'digestAt'].map((name) => ({ name, text: field(name), minutes: parseTimeOfDay(field(name)) }))
  const wrong = times.find(({ text, minutes }) => text !== '' && minutes === null)
  if (wrong) return refused({ [wrong.name]: 'Enter a time such as 14:05.' })
  const [quietFrom = null, quietTo = null, digestAt = null] = times.map(({ minutes }) => minutes)
  if ((quietFrom === null) !== (quietTo === null))
    return refused({ [quietFrom === null ? 'quietFrom' : 'quietTo']: 'Enter both times, or none.' })
  const timeZone = field('timeZone') || 'UTC'
  if (!isTimeZone(timeZone)) return refused({ timeZone: 'Choose a time zone.' })
  const sent = topics.filter((topic) => !shared || !isPersonal(topic))
  if (sent.length === 0 && digestAt === null) return refused({ topics: 'Choose what is sent.' })
  return { ok: true, data: { label, topics: [...new Set(sent)].join(','), quietFrom, quietTo, digestAt, timeZone } }
}

/** Fields: kind; url for all but mail; token, of ntfy; email, for mail of a team. inside: whether it may be one of a private network. */
export function readAddress(field: Field, shared: boolean, inside: boolean): Outcome<ChannelAddress> {
  const kind = kinds.find((each) => each === field('kind'))
  if (!kind) return refused({ kind: 'Choose where to send.' })
  return kind === 'mail' ? readMail(field, shared) : readHook(kind, field, inside)
}

function readMail(field: Field, shared: boolean): Outcome<ChannelAddress> {
  if (!sendsMail()) return refused({ kind: 'Gatehouse cannot send mail: no mail server is configured.' })
  if (!shared) return { ok: true, data: { kind: 'mail', place: '', secrets: {} } }
  const email = parseEmail(field('email'))
  return email === null
    ? refused({ email: 'Enter an email address.' })
    : { ok: true, data: { kind: 'mail', place: email, secrets: { email } } }
}

function readHook(kind: Exclude<ChannelKind, 'mail'>, field: Field, inside: boolean): Outcome<ChannelAddress> {
  const url = field('url').trim()
  const hook = parseHookUrl(url, inside)
  if ('code' in hook) return refused({ url: hook.sentence })
  const place = hook.target.origin
  if (kind === 'slack') return { ok: true, data: { kind, place, secrets: { url } } }
  if (kind === 'webhook') return { ok: true, data: { kind, place, secrets: { url, secret: createToken() } } }
  if (!/^\/(.+\/)?[\w-]{1,64}$/.test(hook.path)) return refused({ url: 'Enter the address of a topic, such as https://ntfy.sh/topic.' })
  const token = field('token').trim()
  if (!/^[\x21-\x7e]{0,200}$/.test(token)) return refused({ token: 'This is no access token.' })
  return { ok: true, data: { kind, place, secrets: { url, ...(token !== '' && { token }) } } }
}
