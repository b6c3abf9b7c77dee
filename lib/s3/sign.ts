/** Signs requests to S3 (AWS Signature Version 4). Pure: the time is an argument. */
import { createHash, createHmac } from 'node:crypto'

/** path: without its query, not encoded yet. headers: further ones to sign, by their names in lower case. */
export type S3Request = {
  method: 'GET' | 'PUT' | 'DELETE'
  host: string
  path: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: string
  /** Instead of the body: the SHA-256 of what is sent, in hex. */
  bodyHash?: string
}

export type S3Signer = { region: string; accessKeyId: string; secretAccessKey: string }

/** path: encoded, with its query, as it has to be sent. headers: all that were signed but the host, and the signature. */
type SignedRequest = { path: string; headers: Record<string, string> }

export function signS3(request: S3Request, { region, accessKeyId, secretAccessKey }: S3Signer, at: Date): SignedRequest {
  const time = at.toISOString().replace(/[-:]|\.\d+/g, '')
  const day = time.slice(0, 8)
  const own = { 'x-amz-content-sha256': request.bodyHash ?? sha256(request.body ?? ''), 'x-amz-date': time }
  const signed = Object.entries({ ...request.headers, host: request.host, ...own }).toSorted(byName)
  const names = signed.map(([name]) => name).join(';')
  const path = request.path.split('/').map(encode).join('/')
  const query = Object.entries(request.query ?? {})
    .map(([name, value]): [string, string] => [encode(name), encode(value)])
    .toSorted(byName)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  const lines = signed.map(([name, value]) => `${name}:${value.trim()}\n`).join('')
  const canonical = [request.method, path, query, lines, names, own['x-amz-content-sha256']].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const key = ['s3', 'aws4_request'].reduce((from, part) => hmac(from, part), hmac(hmac(`AWS4${secretAccessKey}`, day), region))
  const signature = hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope},SignedHeaders=${names},Signature=${signature}`
  return { path: query === '' ? path : `${path}?${query}`, headers: { ...request.headers, ...own, authorization } }
}

const byName = ([a]: readonly [string, string], [b]: readonly [string, string]): number => (a < b ? -1 : 1)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** As S3 wants it: everything but A-Z, a-z, 0-9 and -._~ */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
