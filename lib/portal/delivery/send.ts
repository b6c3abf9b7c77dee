/** Sends one message to a channel: what is accepted, and what the receiver said. */
import 'server-only'
import { sendMailForAnswer } from '@/lib/portal/base/mail/send'
import { type ChannelSecrets, openChannel } from '@/lib/portal/custody/channel'
import { postToHook } from '@/lib/portal/upstream/hook'
import { showBidiControls } from '@/lib/text/bidi'
import type { Channel } from '@/prisma/generated/portal/client'
import type { Addressed } from './compose'
import { type Message, type Posted, textsOf, toMail, toNtfy, toSlack, toWebhook } from './formats'

/**
 * status: of HTTP or SMTP; null without an answer. answer: of a refusal, its first line without the channel's secrets and what was sent, or why
 * there is none.
 */
export type SendReply = { ok: boolean; status: number | null; answer: string }

const maxAnswer = 200

/** A receiver may repeat what it accepted, and who reads the answer need not see that. */
const accepted = 'Accepted.'

/** Never throws because of the network or the receiver. */
export async function sendTo(channel: Channel, { message, to, inside }: Addressed): Promise<SendReply> {
  const secrets = await openChannel(channel)
  if (!secrets)
    return { ok: false, status: null, answer: 'The address of this channel cannot be decrypted. Remove the channel and add it again.' }
  if (channel.kind === 'mail') {
    const { outcome, status, answer } = await sendMailForAnswer({ to: secrets.email ?? to, ...toMail(message) })
    const ok = outcome === 'sent'
    return { ok, status, answer: ok ? accepted : tidy(answer, hiddenOf(channel, message, secrets)) }
  }
  const { url, posted } = postOf(channel, message, secrets)
  const { status, body } = await postToHook({ id: `${channel.id}.${channel.secretVersion}`, url, inside, ...posted })
  const ok = status !== null && status >= 200 && status < 300
  if (ok) return { ok, status, answer: accepted }
  const moved = status !== null && status >= 300 && status < 400
  return {
    ok,
    status,
    answer: moved
      ? 'The address redirects, which is not followed. Enter the address that it leads to.'
      : tidy(body, hiddenOf(channel, message, secrets)),
  }
}

function postOf(
  { kind }: Channel,
  message: Addressed['message'],
  { url = '', secret = '', token }: ChannelSecrets,
): { url: string; posted: Posted } {
  if (kind === 'slack') return { url, posted: toSlack(message) }
  if (kind !== 'ntfy') return { url, posted: toWebhook(message, secret) }
  const { server, topic } = splitTopic(url)
  return { url: server, posted: toNtfy(message, topic, token) }
}

/** The address of an ntfy topic ends with the topic. */
function splitTopic(url: string): { server: string; topic: string } {
  const [, server = '', topic = ''] = /^(.*\/)([^/]+)$/.exec(url) ?? []
  return { server, topic }
}

/** What no answer shows. secrets: of the channel; the topic of ntfy is one, however short. texts: what was sent. */
type Hidden = { secrets: readonly string[]; texts: readonly string[] }

function hiddenOf({ kind }: Channel, message: Message, secrets: ChannelSecrets): Hidden {
  const parts = Object.values(secrets).flatMap((secret) => (URL.canParse(secret) ? pathsOf(secret) : [secret]))
  const { topic } = splitTopic(kind === 'ntfy' ? (secrets.url ?? '') : '')
  return { secrets: [...parts.filter((part) => part.length >= 4), topic].filter((each) => each !== ''), texts: textsOf(message) }
}

/** The first line that says something. A receiver may repeat what it was sent, and where: neither is shown. */
function tidy(text: string, { secrets, texts }: Hidden): string {
  const hide = (shown: string) => secrets.reduce((kept, secret) => kept.replaceAll(secret, '…'), hideTexts(unescaped(shown), texts))
  // Before a page loses its tags, as a text that was sent may contain what looks like one.
  const said = isPage(text) ? withoutTags(hide(text)) : text
  const line = said.split(/[\r\n]+/).find((each) => each.trim() !== '') ?? ''
  return showBidiControls(
    hide(line)
      .replace(/[\p{Cc}]/gu, ' ')
      .trim(),
  ).slice(0, maxAnswer)
}

/** As servers between here and the receiver answer with. */
const isPage = (text: string): boolean => /^\s*<(!doctype|html)\b/i.test(text)

const withoutTags = (page: string): string => page.replace(/<(script|style)\b[^>]*>[^<]*/gi, '').replace(/<[^<>]*>/g, '\n')

/** As it was sent: receivers repeat it as JSON or HTML, and chats got it with characters that disarm it. */
function unescaped(text: string): string {
  const plain = text.replace(/\\u([\da-f]{4})|\\(["\\/])/gi, (_all, code, char) => char ?? String.fromCharCode(Number.parseInt(code, 16)))
  return entities.reduce((kept, [entity, char]) => kept.replaceAll(entity, char), plain.replaceAll('\u200b', ''))
}

const entities = [
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#34;', '"'],
  ['&#39;', "'"],
  ['&amp;', '&'],
] as const

/** How much of a text tells it from what the receiver says itself, if the receiver repeats only its beginning. */
const tellingChars = 20

/** Whole texts, the longest first; what still begins like one was cut by the receiver, so nothing after it is shown. */
function hideTexts(answer: string, texts: readonly string[]): string {
  const longestFirst = texts.map((text) => unescaped(text)).sort((one, other) => other.length - one.length)
  const kept = longestFirst.filter((text) => text !== '').reduce((rest, text) => rest.replaceAll(text, '…'), answer)
  const cuts = longestFirst.filter((text) => text.length >= tellingChars).map((text) => kept.indexOf(text.slice(0, tellingChars)))
  const cut = Math.min(...cuts.filter((at) => at >= 0), kept.length)
  return cut === kept.length ? kept : `${kept.slice(0, cut)}…`
}

/** An address, its path, and the parts of the path and query, any of which may be the secret. */
function pathsOf(address: string): string[] {
  const { href, pathname, search, searchParams } = new URL(address)
  const parts = [...pathname.split('/'), ...searchParams.values()].filter((part) => part.length >= 8)
  return [href, `${pathname}${search}`, ...parts].filter((part) => part.length > 1)
}
