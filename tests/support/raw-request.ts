/** One request written to a socket byte by byte, as no HTTP library would send it. */
import { connect } from 'node:net'

export type RawAnswer = {
  /** Everything that came back until the other side closed, one character a byte. */
  text: string
  /** Of the first answer; null when there was none. */
  status: number | null
  /** How much of the body the other side, and the buffers between, took. */
  sentBytes: number
  /** Milliseconds from the first byte to the close. */
  tookMs: number
}

/** Sends the head and then the body, and waits until the other side closes. */
export async function sendRaw(port: number, head: string, body: Iterable<Uint8Array> | AsyncIterable<Uint8Array> = []): Promise<RawAnswer> {
  const began = performance.now()
  const socket = connect(port, '127.0.0.1')
  const parts: Buffer[] = []
  // A connection that is cut while something is sent is one of the answers.
  socket.on('error', () => {})
  socket.on('data', (part) => parts.push(part))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.write(head, 'latin1')
  let sentBytes = 0
  for await (const piece of body) {
    if (!socket.writable) break
    if (!socket.write(piece)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
    sentBytes += piece.length
  }
  await closed
  const text = Buffer.concat(parts).toString('latin1')
  const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]
  return { text, status: status === undefined ? null : Number(status), sentBytes, tookMs: performance.now() - began }
}

const piece = Buffer.alloc(65_536, 'x')

/** So many bytes, in pieces of 64 KB. */
export function* filler(bytes: number): Generator<Uint8Array> {
  for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, Math.min(left, piece.length))
}

/** The same as chunks of a body without an announced length, the last of which is never sent. */
export function* chunks(bytes: number): Generator<Uint8Array> {
  for (const part of filler(bytes)) yield Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')])
}
