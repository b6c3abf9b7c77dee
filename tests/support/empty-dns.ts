/** A name server that knows no name, so that a test depends on no other one. */
import { createSocket } from 'node:dgram'

export type EmptyDns = AsyncDisposable & { address: string }

export async function startEmptyDns(): Promise<EmptyDns> {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    const answer = Buffer.from(question)
    // A response with the question alone: there is no such name.
    answer.writeUInt16BE(0x8183, 2)
    for (const section of [6, 8, 10]) answer.writeUInt16BE(0, section)
    socket.send(answer.subarray(0, endOfQuestion(question)), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', () => resolve()))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  }
}

/** Labels, each with its length in front, up to one of length 0; then a type and a class. */
function endOfQuestion(message: Buffer): number {
  let at = 12
  while (at < message.length && message.readUInt8(at) > 0) at += message.readUInt8(at) + 1
  return at + 5
}
