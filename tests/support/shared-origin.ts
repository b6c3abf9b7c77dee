/** One address for several accounts, as hosting companies have: the API key selects the service that answers. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Upstream } from './upstream/upstream'

export type SharedOrigin = AsyncDisposable & { origin: string }

/** A key that none of the accounts has is refused by the first. */
export async function shareOrigin(accounts: readonly [Upstream, ...Upstream[]]): Promise<SharedOrigin> {
  const server = createServer(async (request, response) => {
    const { authorization = '', 'content-type': type } = request.headers
    const account = accounts.find(({ key }) => authorization === `Bearer ${key}`) ?? accounts[0]
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const answer = await fetch(`${account.origin}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { authorization, ...(type !== undefined && { 'content-type': type }) },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
