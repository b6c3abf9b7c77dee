/** Visits a lab host over TLS, as a browser does that trusts one root. */
import { request } from 'node:https'
import type { TLSSocket } from 'node:tls'
import type { Host } from '../lab/lab'

export type Visit = { status: number; text: string; names: string; serial: string }

/** Throws if the certificate is not valid for the name under the root; null trusts any. auth: user and password, as `user:password`. */
export function visitSecurely(host: Host, name: string, root: string | null, path = '/', auth = ''): Promise<Visit> {
  return new Promise((resolve, reject) => {
    const options = {
      host: host.ip,
      path,
      headers: { host: name },
      servername: name,
      agent: false,
      ...(auth !== '' && { auth }),
      ...(root === null ? { rejectUnauthorized: false } : { ca: root }),
    }
    const asked = request(options, (reply) => {
      const { subjectaltname = '', serialNumber } = (reply.socket as TLSSocket).getPeerCertificate()
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.once('end', () =>
        resolve({
          status: reply.statusCode ?? 0,
          text: Buffer.concat(chunks).toString('utf8'),
          names: subjectaltname.replaceAll('DNS:', '').split(', ').sort().join(', '),
          serial: serialNumber,
        }),
      )
    })
    asked.once('error', reject)
    asked.end()
  })
}
