/** The archive of a sandbox site: small, laid out like that of a real server, and the same for the same site and time. */
import { gzipSync } from 'node:zlib'

const block = 512

/** madeAtMs: milliseconds since 1970. */
export function renderArchive(domain: string, madeAtMs: number): Buffer {
  const made = new Date(madeAtMs).toISOString()
  const manifest = ['format 1', 'destination local', `site ${domain}`, 'reason manual', `made ${made}`, 'database yes', ''].join('\n')
  const dump = `-- MariaDB dump of ${domain}\n-- Dump completed on ${made}\n`
  const page = `<!doctype html>\n<title>${domain}</title>\n<h1>This site is ready</h1>\n`
  const entries = { manifest, 'database.sql': dump, 'files/public/index.html': page }
  const parts = Object.entries(entries).flatMap(([name, text]) => renderEntry(name, Buffer.from(text), Math.floor(madeAtMs / 1000)))
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * block)]))
}

/** One file in the format ustar. */
function renderEntry(name: string, content: Buffer, seconds: number): Buffer[] {
  const header = Buffer.alloc(block)
  const octal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, length, 'latin1')
  header.write(name, 0, 100, 'latin1')
  octal(0o644, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(content.length, 124, 12)
  octal(seconds, 136, 12)
  header.write('        ', 148, 8, 'latin1')
  header.write('0ustar\x0000', 156, 9, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 8, 'latin1')
  return [header, content, Buffer.alloc((block - (content.length % block)) % block)]
}
