/** A real SMTP server on a free port of this machine, which keeps what it receives. */
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export type MailServer = AsyncDisposable & {
  /** For SMTP_URL. */
  url: string
  /** Recipient and whole text, as received. */
  received: { to: string; text: string }[]
  /** What clients signed in with. */
  logins: string[]
  /** Whether every mail is answered with a failure from now on. */
  refuse: (now: boolean) => void
}

/** refuses: answers every mail with a failure. password: asks for it. */
export async function startMailServer({ refuses = false, password }: { refuses?: boolean; password?: string } = {}): Promise<MailServer> {
  const [received, logins]: [MailServer['received'], string[]] = [[], []]
  let refusing = refuses
  const server = new SMTPServer({
    authOptional: password === undefined,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) => {
      logins.push(`${auth.username}:${auth.password}`)
      done(auth.password === password ? null : new Error('wrong'), { user: auth.username })
    },
    onData: (stream, session, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        if (refusing) return done(new Error('no thanks'))
        const text = Buffer.concat(parts)
          .toString()
          .replace(/=\r?\n/g, '')
          .replace(/=3D/g, '=')
        for (const { address } of session.envelope.rcptTo) received.push({ to: address, text })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://${password === undefined ? '' : 'gatehouse@'}127.0.0.1:${port}`,
    received,
    logins,
    refuse: (now) => {
      refusing = now
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
