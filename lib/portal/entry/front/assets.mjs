/** Serves scripts, styles and fonts of the build, compressed in advance because compressing per request would cost both sides time. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { parseAccept } from 'hono/utils/accept'

// serveStatic of @hono/node-server with `precompressed` was tried and fails two tests of front.test.ts: it reads from disk per
// request, so open pages lose a file that was removed meanwhile, and it serves the compressed copies (`a.js.br`) as separate files.

/**
 * The uncompressed form, and each compressed form that exists as a file.
 * @typedef {{ type: string, plain: Buffer, packed: readonly { coding: string, body: Buffer }[] }} Asset
 */
/** @typedef {ReadonlyMap<string, Asset>} Assets by request path */

const prefix = '/_next/static/'

/** @type {Readonly<Record<string, string>>} */
const types = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** The smaller form first. */
const codings = { br: '.br', gzip: '.gz' }

/**
 * Reads all files into memory, a few MB. Next serves files of other types.
 * @param {string} folder the build's `static`
 * @returns {Assets}
 */
export function loadAssets(folder) {
  /** @type {Map<string, Asset>} */
  const assets = new Map()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const type = types[extname(name)]
    if (type !== undefined) assets.set(prefix + name, { type, ...readForms(join(folder, name)) })
  }
  return assets
}

/** @param {string} file @returns {Omit<Asset, 'type'>} */
function readForms(file) {
  const packed = Object.entries(codings).filter(([, ending]) => existsSync(file + ending))
  return { plain: readFileSync(file), packed: packed.map(([coding, ending]) => ({ coding, body: readFileSync(file + ending) })) }
}

/**
 * Sends the whole file even if a range was requested. Browsers cache it for good, because its name changes with its content.
 * @param {Asset} asset
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
export function sendAsset({ type, plain, packed }, request, response) {
  const taken = parseAccept(String(request.headers['accept-encoding'] ?? ''))
  const form = packed.find(({ coding }) => taken.some(({ type, q }) => type === coding && q > 0))
  const body = form?.body ?? plain
  response.setHeader('Content-Type', type)
  response.setHeader('Content-Length', body.length)
  response.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
  response.setHeader('Vary', 'Accept-Encoding')
  if (form) response.setHeader('Content-Encoding', form.coding)
  // Node sends no body in response to HEAD.
  response.end(body)
}
