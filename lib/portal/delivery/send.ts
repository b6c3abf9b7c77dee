/** Sends one message to a channel: what is accepted, and what the receiver said. */
import 'server-only'
import { sendMailForAnswer } from '@/lib/portal/base/mail/send'
import { type ChannelSecrets, openChannel } from '@/lib/portal/custody/channel'
import { postToHook } from '@/lib/portal/upstream/hook'
import { showBidiControls } from '@/lib/text/bidi'
import type { Channel } from '@/prisma/generated/portal/client'
import type { Addressed } from './compose'
import { type Posted, toMail, toNtfy, toSlack, toWebhook } from './formats'

/** status: of HTTP or SMTP; null without an answer. answer: its first line without the channel's secrets, or why there is none. */
export type SendReply = { ok: boolean; status: number | null; answer: string }

const maxAnswer = 200

/** Never throws because of the network or the receiver. */
export async function sendTo(channel: Channel, { message, to }: Addressed): Promise<SendReply> {
  const secrets = await openChannel(channel)
  if (!secrets)
    return { ok: false, status: null, answer: 'The address of this channel cannot be decrypted. Remove the channel and add it again.' }
  if (channel.kind === 'mail') {
    const { outcome, status, answer } = await sendMailForAnswer({ to: secrets.email ?? to, ...toMail(message) })
    return { ok: outcome === 'sent', status, answer: tidy(answer, secrets) }
  }
  const { url, posted } = postOf(channel, message, secrets)
  const { status, body } = await postToHook({ id: `${channel.id}.${channel.secretVersion}`, url, ...posted })
  const ok = status !== null && status >= 200 && status < 300
  const moved = status !== null && status >= 300 && status < 400
  return {
    ok,
    status,
    answer: moved ? 'The address redirects, which is not followed. Enter the address that it leads to.' : tidy(body, secrets),
  }
}

function postOf(
  { kind }: Channel,
  message: Addressed['message'],
  { url = '', secret = '', token }: ChannelSecrets,
): { url: string; posted: Posted } {
  if (kind === 'slack') return { url, posted: toSlack(message) }
  if (kind !== 'ntfy') return { url, posted: toWebhook(message, secret) }
  const [, server = '', topic = ''] = /^(.*\/)([^/]+)$/.exec(url) ?? []
  return { url: server, posted: toNtfy(message, topic, token) }
}

/** The first line that says something. A receiver may repeat what it was sent, and where: neither is shown. */
function tidy(text: string, secrets: ChannelSecrets): string {
  const line = text.split(/[\r\n]+/).find((each) => each.trim() !== '') ?? ''
  const hidden = Object.values(secrets).flatMap((secret) => (URL.canParse(secret) ? pathsOf(secret) : [secret]))
  const shown = hidden.reduce((kept, secret) => (secret.length < 4 ? kept : kept.replaceAll(secret, '…')), line)
  return showBidiControls(shown.replace(/[\p{Cc}]/gu, ' ').trim()).slice(0, maxAnswer)
}

/** An address, its path, and the parts of the path and query, any of which may be the secret. */
function pathsOf(address: string): string[] {
  const { href, pathname, search, searchParams } = new URL(address)
  const parts = [...pathname.split('/'), ...searchParams.values()].filter((part) => part.length >= 8)
  return [href, `${pathname}${search}`, ...parts].filter((part) => part.length > 1)
}
