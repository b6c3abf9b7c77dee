/** Archives as people upload them to an app. */
import { crc32 } from 'node:zlib'

/** A zip of these files, by their paths, not compressed. */
export function makeZip(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = []
  const entries: Buffer[] = []
  let at = 0
  for (const [path, text] of Object.entries(files)) {
    const name = Buffer.from(path)
    const content = Buffer.from(text)
    // Version, flags, method, time and date (1 January 2026), checksum, both sizes, and the lengths of the name and of what follows it.
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x5c21, 8)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(content.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(name.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    entries.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, place, name)
    const part = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name, content])
    parts.push(part)
    at += part.length
  }
  const list = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, list, end])
}
