/** The least a proxy in Node can do: passes every request on. `node bare-proxy.mjs TARGET_PORT`; says its own port. */
import { Agent, createServer, request } from 'node:http'

const agent = new Agent({ keepAlive: true })
const server = createServer((incoming, outgoing) => {
  const { method, url: path, headers } = incoming
  const onward = request({ host: '127.0.0.1', port: Number(process.argv[2]), method, path, headers, agent }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  incoming.pipe(onward)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.stdout.write(`${address.port}\n`)
})
