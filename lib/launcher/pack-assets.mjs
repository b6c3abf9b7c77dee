/** Compresses static files once at build time, more strongly than would be possible while a browser waits. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** @param {string} folder of the built scripts, styles and fonts; each text file gets a file.br and a file.gz next to it */
export function packAssets(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(js|css|svg|json|txt)$/.test(name))
  for (const name of names) {
    const file = join(folder, name)
    const text = readFileSync(file)
    writeFileSync(`${file}.br`, brotliCompressSync(text))
    writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }))
  }
}
