/**
 * The ACME directory of a lab's certificate authority. pebble's own does not name the authority in CAA records (RFC 8659), which those of
 * public authorities do, so this one serves pebble's with the names added. Its URLs lead to pebble itself.
 */
import { once } from 'node:events'
import { createServer, request } from 'node:https'
import { gatewayAddress } from './network.ts'

/** key, certificate: PEM, valid for the lab's gateway. roots: PEM that verifies pebble. */
export type DirectoryOptions = { pebble: string; caaIdentities: readonly string[]; key: string; certificate: string; roots: string }

export type Directory = { url: string; close(): void }

/** Serves a directory on the bridge's address, on any free port. It does not keep this process alive. */
export async function serveDirectory({ pebble, caaIdentities, key, certificate, roots }: DirectoryOptions): Promise<Directory> {
  const server = createServer({ key, cert: certificate }, (_, answer) => {
    readText(pebble, roots).then(
      (text) => {
        const directory: { meta: object } = JSON.parse(text)
        answer.setHeader('content-type', 'application/json')
        answer.end(JSON.stringify({ ...directory, meta: { ...directory.meta, caaIdentities } }))
      },
      () => answer.writeHead(502).end(),
    )
  })
  await once(server.listen(0, gatewayAddress), 'listening')
  server.unref()
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The ACME directory has no port.')
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `https://${gatewayAddress}:${address.port}/dir`, close }
}

/** What a URL answers, verified by nothing but the roots. */
export function readText(url: string, roots: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { ca: roots, agent: false }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.once('end', () => resolve(Buffer.concat(chunks).toString()))
    })
    asked.once('error', reject)
    asked.end()
  })
}
