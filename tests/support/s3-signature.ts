/** Checks requests that are signed for S3, from any client: the parts that the client signed, and bodies that are signed in chunks. */
import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

type Key = { accessKeyId: string; secretAccessKey: string }

/** Of "AWS4-HMAC-SHA256 Credential=ID/DAY/REGION/s3/aws4_request, SignedHeaders=a;b, Signature=…". */
const form = /Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})/

type Signed = { accessKeyId: string; region: string; isSignedBy: (key: Key) => boolean }

/** Null without a signature. */
export function readSignature(request: IncomingMessage): Signed | null {
  const [, accessKeyId, day, region, names, signature] = form.exec(String(request.headers.authorization)) ?? []
  if (accessKeyId === undefined || day === undefined || region === undefined || names === undefined) return null
  const time = String(request.headers['x-amz-date'])
  const text = ['AWS4-HMAC-SHA256', time, `${day}/${region}/s3/aws4_request`, sha256(canonical(request, names.split(';')))].join('\n')
  return {
    accessKeyId,
    region,
    isSignedBy({ secretAccessKey }) {
      const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
        (secret, part) => hmac(secret, part),
        `AWS4${secretAccessKey}`,
      )
      return hmac(key, text).toString('hex') === signature
    },
  }
}

function canonical(request: IncomingMessage, names: readonly string[]): string {
  const [path = '', query = ''] = (request.url ?? '/').split('?')
  const parameters = query === '' ? [] : query.split('&').map((each) => (each.includes('=') ? each : `${each}=`))
  const headers = names.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`).join('')
  const body = String(request.headers['x-amz-content-sha256'])
  return [request.method, path, parameters.sort().join('&').replaceAll('+', '%20'), headers, names.join(';'), body].join('\n')
}

/** The body itself, if it came in signed chunks: SIZE;chunk-signature=…, each followed by its bytes. */
export function bodyOf(request: IncomingMessage, sent: Buffer): Buffer {
  if (!String(request.headers['x-amz-content-sha256']).startsWith('STREAMING-')) return sent
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const end = sent.indexOf('\r\n', at)
    const size = Number.parseInt(sent.subarray(at, end).toString(), 16)
    if (end < 0 || !(size > 0)) return Buffer.concat(parts)
    parts.push(sent.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
