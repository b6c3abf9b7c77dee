/** Talks SMTP to a lab host as another mail server or a mail program does. */
import { createConnection, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'

export type Smtp = AsyncDisposable & {
  /** Sends a line and resolves with the whole answer: a code, a space and its text. */
  say(line: string): Promise<string>
  /** STARTTLS and EHLO again. root: PEM of what the certificate for `name` is verified against; null trusts any. */
  secure(name: string, root: string | null): Promise<string>
}

const patienceMs = 30_000

/** Resolves after EHLO. */
export async function openSmtp(host: string, port: number): Promise<Smtp> {
  return talk(createConnection({ host, port }))
}

/** The same over TLS from the beginning. */
export async function openSecureSmtp(host: string, port: number, name: string, root: string | null): Promise<Smtp> {
  return talk(await secured({ host, port }, name, root))
}

const trust = (root: string | null) => (root === null ? { rejectUnauthorized: false } : { ca: root })

function secured(to: { socket: Socket } | { host: string; port: number }, servername: string, root: string | null): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ ...to, servername, ...trust(root) })
    socket.once('secureConnect', () => resolve(socket)).once('error', reject)
  })
}

async function talk(first: Socket): Promise<Smtp> {
  let socket = first
  let answers = listen(socket)
  const say = async (line: string) => {
    socket.write(`${line}\r\n`)
    return answers.next()
  }
  await answers.next()
  await say('EHLO elsewhere.test')
  return {
    say,
    async secure(name, root) {
      await say('STARTTLS')
      answers.stop()
      socket = await secured({ socket }, name, root)
      answers = listen(socket)
      return say('EHLO elsewhere.test')
    },
    [Symbol.asyncDispose]: async () => void socket.destroy(),
  }
}

/** Complete answers, in order. The last line of one has a space behind its code. */
function listen(socket: Socket) {
  let text = ''
  let wake = () => {}
  const onData = (chunk: Buffer) => {
    text += chunk.toString('utf8')
    wake()
  }
  const onEnd = () => {
    text += '000 the connection ended\r\n'
    wake()
  }
  socket.on('data', onData).once('close', onEnd)
  return {
    async next(): Promise<string> {
      const deadline = Date.now() + patienceMs
      for (;;) {
        const whole = /^(?:\d{3}-[^\r\n]*\r\n)*\d{3} [^\r\n]*\r\n/.exec(text)?.[0]
        if (whole !== undefined) {
          text = text.slice(whole.length)
          return whole.replaceAll('\r\n', '\n').trim()
        }
        if (Date.now() > deadline) throw new Error(`The mail server did not answer. It said: ${text}`)
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, 500)
        })
      }
    },
    stop() {
      socket.off('data', onData).off('close', onEnd)
    },
  }
}

/** The answers to the sender, each recipient and, if all of these were taken, the message. */
export async function sendMail(smtp: Smtp, from: string, to: readonly string[], subject: string): Promise<string[]> {
  const answers = [await smtp.say(`MAIL FROM:<${from}>`)]
  for (const each of to) answers.push(await smtp.say(`RCPT TO:<${each}>`))
  if (answers.some((answer) => !answer.startsWith('250'))) {
    await smtp.say('RSET')
    return answers
  }
  const begun = await smtp.say('DATA')
  if (!begun.startsWith('354')) return [...answers, begun]
  answers.push(await smtp.say(`From: <${from}>\r\nTo: <${to.join('>, <')}>\r\nSubject: ${subject}\r\n\r\nA harbour in November.\r\n.`))
  return answers
}

export const login = (address: string, password: string): string =>
  `AUTH PLAIN ${Buffer.from(`\u0000${address}\u0000${password}`).toString('base64')}`
