/** Sends mail through the configured server. A mail that fails is reported, never thrown: what it announces has already happened. */
import 'server-only'
import { readFile } from 'node:fs/promises'
import { createTransport } from 'nodemailer'
import { log } from '@/lib/log'
import { isLoopbackName } from '@/lib/settings/loopback'
import type { MailSettings } from '@/lib/settings/mail'
import { getSettings } from '@/lib/settings/settings'

/** Plain text only. `to` is an address as parseEmail returns it. */
export type Mail = { to: string; subject: string; text: string }

/** off: no mail server is configured. */
export type MailOutcome = 'sent' | 'failed' | 'off'

const waitMs = 10_000

/** Whether Gatehouse can send mail. */
export const sendsMail = (): boolean => getSettings().mail !== null

/** Takes at most about half a minute. The process log gets the reason for a failure, never the mail. */
export const sendMail = async (mail: Mail): Promise<MailOutcome> => (await sendMailForAnswer(mail)).outcome

/** answer: what the mail server said last, or why it said nothing. status: its code. */
export type MailReply = { outcome: MailOutcome; status: number | null; answer: string }

/** The same, for pages that show how it went. */
export async function sendMailForAnswer({ to, subject, text }: Mail): Promise<MailReply> {
  const { mail } = getSettings()
  if (mail === null) return { outcome: 'off', status: null, answer: 'No mail server is configured.' }
  try {
    const transport = createTransport(await optionsOf(mail))
    // An object, so that nothing in the address is parsed as a list of recipients.
    const { response }: { response: string } = await transport.sendMail({
      from: mail.from,
      to: { name: '', address: to },
      subject,
      text,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    return { outcome: 'sent', ...readResponse(response) }
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    log.error({ reason, host: mail.host }, 'a mail could not be sent')
    const response = error instanceof Error && 'response' in error && typeof error.response === 'string' ? error.response : null
    return {
      outcome: 'failed',
      ...(response === null ? { status: null, answer: `The mail server did not respond (${reason}).` } : readResponse(response)),
    }
  }
}

const readResponse = (response: string) => ({ status: Number(/^(\d{3})\b/.exec(response)?.[1]) || null, answer: response })

/** Mails contain links that let their holder in, so only a server on this machine may receive them without TLS. */
async function optionsOf({ host, port, implicitTls, user, passwordFile }: MailSettings) {
  const pass = passwordFile === null ? null : (await readFile(passwordFile, 'utf8')).trim()
  return {
    host,
    port,
    secure: implicitTls,
    requireTLS: !implicitTls && !isLoopbackName(host),
    ignoreTLS: isLoopbackName(host),
    connectionTimeout: waitMs,
    greetingTimeout: waitMs,
    socketTimeout: waitMs,
    ...(user !== null && pass !== null && { auth: { user, pass } }),
  }
}
