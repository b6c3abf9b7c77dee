/** A login to MariaDB over the network, implemented here so that this machine needs no client program. */
import { createHash } from 'node:crypto'
import { createConnection } from 'node:net'

const sha1 = (...parts: Buffer[]) => createHash('sha1').update(Buffer.concat(parts)).digest()

/** LONG_PASSWORD, PROTOCOL_41, SECURE_CONNECTION and PLUGIN_AUTH. */
const capabilities = 0x00088201

/** Resolves with the server's version and `let in`, or with the reason for the refusal. */
export function loginToDatabase(address: string, { user, password }: { user: string; password: string }): Promise<string> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: address, port: 3306, timeout: 2_500 })
    let version = ''
    const end = (said: string) => {
      socket.destroy()
      resolve(said)
    }
    socket.on('data', (bytes) => {
      // Each packet: three bytes of length, one of sequence, then its type: 0xff is a refusal with a code and a message.
      if (bytes[4] === 0xff) return end(`refused: ${bytes.subarray(13).toString()}`)
      if (version !== '') return end(`${version}, let in`)
      const greeting = readGreeting(bytes.subarray(4))
      version = greeting.version
      socket.write(frame(answerTo(greeting.scramble, user, password)))
    })
    socket.once('timeout', () => end('silent')).once('error', (error: NodeJS.ErrnoException) => end(String(error.code)))
  })
}

/** Protocol 10: version, thread, eight bytes of the scramble, capabilities and other fields, the other twelve bytes. */
function readGreeting(greeting: Buffer): { version: string; scramble: Buffer } {
  const end = greeting.indexOf(0, 1)
  const first = greeting.subarray(end + 5, end + 13)
  return { version: greeting.subarray(1, end).toString(), scramble: Buffer.concat([first, greeting.subarray(end + 32, end + 44)]) }
}

/** HandshakeResponse41 with mysql_native_password: SHA1(password) xor SHA1(scramble, SHA1(SHA1(password))). */
function answerTo(scramble: Buffer, user: string, password: string): Buffer {
  const once = sha1(Buffer.from(password))
  const mask = sha1(scramble, sha1(once))
  const head = Buffer.alloc(32)
  head.writeUInt32LE(capabilities, 0)
  head.writeUInt32LE(1 << 24, 4)
  head.writeUInt8(45, 8)
  const proof = Buffer.from(once.map((byte, place) => byte ^ (mask[place] ?? 0)))
  return Buffer.concat([head, Buffer.from(`${user}\0`), Buffer.from([proof.length]), proof, Buffer.from('mysql_native_password\0')])
}

function frame(packet: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUIntLE(packet.length, 0, 3)
  head.writeUInt8(1, 3)
  return Buffer.concat([head, packet])
}
