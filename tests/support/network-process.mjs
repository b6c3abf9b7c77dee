/** The network of cut-network.ts, in a separate process, so that a busy test does not slow it: `SOCKET`. Prints its port; takes cut, continue and reset, a line each. */
import { connect, createServer } from 'node:net'
import { createInterface } from 'node:readline'

/** @typedef {import('node:net').Socket} Socket */

const [socket = ''] = process.argv.slice(2)
let isCut = false
/** @type {Set<readonly [Socket, Socket]>} */
const pairs = new Set()

/** @param {Socket} one @param {Socket} other */
function pass(one, other) {
  one.on('data', (chunk) => {
    if (!other.write(chunk)) one.pause()
  })
  other.on('drain', () => {
    if (!isCut) one.resume()
  })
  one.on('end', () => other.end())
  one.on('error', () => other.destroy())
}

const server = createServer({ pauseOnConnect: true }, (client) => {
  const database = connect(socket)
  const pair = /** @type {const} */ ([client, database])
  pairs.add(pair)
  pass(client, database)
  pass(database, client)
  for (const each of pair) {
    each.on('close', () => {
      pairs.delete(pair)
      for (const end of pair) end.destroy()
    })
    if (isCut) each.pause()
    else each.resume()
  }
})

/** @param {(socket: Socket) => void} act */
const forAll = (act) => {
  for (const pair of pairs) for (const each of pair) act(each)
}

createInterface({ input: process.stdin })
  .on('line', (word) => {
    isCut = word === 'cut'
    if (isCut) forAll((each) => each.pause())
    else if (word === 'reset') forAll((each) => each.destroy())
    else forAll((each) => each.resume())
  })
  .once('close', () => process.exit(0))

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${address !== null && typeof address === 'object' ? address.port : ''}\n`)
})
