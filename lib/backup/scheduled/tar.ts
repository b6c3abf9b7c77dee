/** Writes and reads tar archives with the few plain files of a backup. Reading them here instead of by tar: no name of an archive becomes a path. */
import type { Readable } from 'node:stream'
import { BackupError } from '../layout'

const block = 512

/** content: the whole of it, or a stream of exactly `bytes` bytes. */
export type TarFile = { name: string; bytes: number; content: Buffer | (() => Readable) }

/** Files belong to nobody in particular and are readable by their owner alone. */
export async function* writeTar(files: readonly TarFile[], at: Date): AsyncGenerator<Buffer> {
  for (const { name, bytes, content } of files) {
    yield encodeHeader(name, bytes, at)
    let written = 0
    for await (const chunk of Buffer.isBuffer(content) ? [content] : content()) {
      written += chunk.length
      yield chunk
    }
    if (written !== bytes) throw new BackupError(`${name} changed its length while it was read.`)
    yield Buffer.alloc((block - (bytes % block)) % block)
  }
  yield Buffer.alloc(2 * block)
}

function encodeHeader(name: string, bytes: number, at: Date): Buffer {
  const header = Buffer.alloc(block)
  const octal = (value: number, offset: number, length: number) =>
    header.write(value.toString(8).padStart(length - 1, '0'), offset, length - 1, 'latin1')
  header.write(name, 0, 100, 'utf8')
  octal(0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  writeSize(header, bytes)
  octal(Math.floor(at.getTime() / 1000), 136, 12)
  header.write('        0', 148, 'latin1')
  header.write('0', 156, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}

/** Eleven octal digits end at 8 GB; larger sizes are binary, as GNU tar writes them. */
function writeSize(header: Buffer, bytes: number): void {
  if (bytes < 8 ** 11) header.write(bytes.toString(8).padStart(11, '0'), 124, 11, 'latin1')
  else {
    header[124] = 0x80
    header.writeBigUInt64BE(BigInt(bytes), 128)
  }
}

const readSize = (header: Buffer): number =>
  header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : Number.parseInt(header.toString('latin1', 124, 135), 8)

/** The sum of the header's bytes, with the sum itself as spaces. */
const checksumOf = (header: Buffer): number => header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0)

/** What becomes of one file: its content in pieces, and its end. */
export type TarSink = { write(chunk: Buffer): Promise<void>; end(): Promise<void> }

/** Reads an archive of writeTar; `open` refuses names by throwing. Throws BackupError if the archive is cut off or none of ours. */
export async function readTar(source: AsyncIterable<Buffer>, open: (name: string) => Promise<TarSink>): Promise<void> {
  let rest: Buffer = Buffer.alloc(0)
  let file: { sink: TarSink; left: number; padding: number } | null = null
  let ended = false
  for await (const chunk of source) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (!ended) {
      if (file === null) {
        if (rest.length < block) break
        const header: Buffer = rest.subarray(0, block)
        rest = rest.subarray(block)
        if (header.every((byte) => byte === 0)) {
          ended = true
          break
        }
        const { name, bytes } = decodeHeader(header)
        file = { sink: await open(name), left: bytes, padding: (block - (bytes % block)) % block }
      }
      const part: Buffer = rest.subarray(0, file.left)
      await file.sink.write(part)
      file.left -= part.length
      rest = rest.subarray(part.length)
      if (file.left > 0 || rest.length < file.padding) break
      rest = rest.subarray(file.padding)
      await file.sink.end()
      file = null
    }
  }
  if (!ended) throw new BackupError('The archive is cut off.')
}

function decodeHeader(header: Buffer): { name: string; bytes: number } {
  const sum = Number.parseInt(header.toString('latin1', 148, 154), 8)
  const name = header.toString('utf8', 0, 100).replace(/\0.*$/s, '')
  const bytes = readSize(header)
  if (sum !== checksumOf(header) || header[156] !== 48 || !Number.isSafeInteger(bytes))
    throw new BackupError('This is no archive of Gatehouse.')
  return { name, bytes }
}
