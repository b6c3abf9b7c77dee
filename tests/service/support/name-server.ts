/** A name server for tests of lookups: it answers what the test says, whatever is asked. */
import { createSocket } from 'node:dgram'

/** The type of a record as a number, and its data. */
export type DnsRecord = readonly [type: number, data: Buffer]

export type NameServer = AsyncDisposable & { address: string; asked: () => number }

/** `records` answers a question; null answers nothing at all. */
export async function startNameServer(
  records: (name: string, type: number) => Promise<readonly DnsRecord[]> | readonly DnsRecord[],
): Promise<NameServer> {
  const socket = createSocket('udp4')
  let asked = 0
  let closed = false
  socket.on('message', async (query, from) => {
    asked += 1
    const end = query.indexOf(0, 12)
    const found = await records(nameIn(query.subarray(12, end)), query.readUInt16BE(end + 1))
    if (!closed) socket.send(answerTo(query, found), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      closed = true
      await new Promise<void>((resolve) => socket.close(() => resolve()))
    },
  }
}

/** Without records, the name is unknown. */
function answerTo(query: Buffer, records: readonly DnsRecord[]): Buffer {
  const question = query.subarray(12, query.indexOf(0, 12) + 5)
  const header = Buffer.from([...query.subarray(0, 2), 0x81, records.length > 0 ? 0x80 : 0x83, 0, 1, 0, 0, 0, 0, 0, 0])
  header.writeUInt16BE(records.length, 6)
  const answers = records.map(([type, data]) => {
    const fixed = Buffer.from([0xc0, 12, 0, 0, 0, 1, 0, 0, 0, 60, 0, 0])
    fixed.writeUInt16BE(type, 2)
    fixed.writeUInt16BE(data.length, 10)
    return Buffer.concat([fixed, data])
  })
  return Buffer.concat([header, question, ...answers])
}

function nameIn(labels: Buffer): string {
  const parts: string[] = []
  for (let at = 0; at < labels.length; at += (labels[at] ?? 0) + 1) {
    parts.push(labels.toString('latin1', at + 1, at + 1 + (labels[at] ?? 0)))
  }
  return parts.join('.')
}

const named = (name: string) => Buffer.from([...name.split('.').flatMap((label) => [label.length, ...Buffer.from(label, 'latin1')]), 0])

export const addressRecord = (...bytes: [number, number, number, number]): DnsRecord => [1, Buffer.from(bytes)]
export const mailRecord = (preference: number, name: string): DnsRecord => [15, Buffer.concat([Buffer.from([0, preference]), named(name)])]
/** CAA, RFC 8659. */
export const issueRecord = (value: string): DnsRecord => [
  257,
  Buffer.concat([Buffer.from([0, 5]), Buffer.from('issue'), Buffer.from(value)]),
]
