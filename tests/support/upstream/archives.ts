/** Prepared archives, at addresses that need no key: whole or in ranges, and gone once the last byte was sent by a service with extensions. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Model } from './model'

export const isArchive = (path: string): boolean => path.startsWith('/archives/')

export function sendArchive(model: Model, path: string, request: IncomingMessage, response: ServerResponse): void {
  const bytes = model.archives.get(path)
  if (!bytes) return void response.writeHead(404).end()
  const [, from = '', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  const [start, end] = [Number(from || 0), to === '' ? bytes.length - 1 : Math.min(Number(to), bytes.length - 1)]
  if (start >= bytes.length) return void response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end()
  const part = bytes.subarray(start, end + 1)
  const headers = { 'content-type': 'text/html', 'accept-ranges': 'bytes', etag: '"one"', 'content-length': part.length }
  const ranged = from === '' ? {} : { 'content-range': `bytes ${start}-${end}/${bytes.length}` }
  response.writeHead(from === '' ? 200 : 206, { ...headers, ...ranged, 'set-cookie': 'of=service', 'x-powered-by': 'a service' })
  response.end(part, () => {
    if (model.extensions && end === bytes.length - 1) model.archives.delete(path)
  })
}
