/** A long answer as JSON, packed for those who can unpack it: lists of thousands shrink to a tenth. */
import 'server-only'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const pack = promisify(gzip)

// Below this packing costs more than it spares.
const shortest = 2_048

/** Packed where the request takes gzip and it is worth it. */
export async function longJson(request: Request, value: unknown): Promise<Response> {
  const text = JSON.stringify(value)
  const headers = { 'content-type': 'application/json', vary: 'accept-encoding' }
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(request.headers.get('accept-encoding') ?? '')
  if (!takesGzip || text.length < shortest) return new Response(text, { headers })
  return new Response(await pack(text), { headers: { ...headers, 'content-encoding': 'gzip' } })
}
