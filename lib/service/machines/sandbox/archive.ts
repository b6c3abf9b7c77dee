/** The archive of a sandbox site: small, laid out like that of a real server, and the same for the same site and time. */
import { gzipSync } from 'node:zlib'
import { renderTar } from '../tar'

/** madeAtMs: milliseconds since 1970. */
export function renderArchive(domain: string, madeAtMs: number): Buffer {
  const made = new Date(madeAtMs).toISOString()
  const manifest = ['format 1', 'destination local', `site ${domain}`, 'reason manual', `made ${made}`, 'database yes', ''].join('\n')
  const dump = `-- MariaDB dump of ${domain}\n-- Dump completed on ${made}\n`
  const page = `<!doctype html>\n<title>${domain}</title>\n<h1>This site is ready</h1>\n`
  const entries = { manifest, 'database.sql': dump, 'files/public/index.html': page }
  const files = Object.entries(entries).map(([name, text]) => ({ name, content: Buffer.from(text) }))
  return gzipSync(renderTar(files, Math.floor(madeAtMs / 1000)))
}
