/** A bucket of S3 on this machine, with two keys: the one of servers, whose rights a test chooses, and the one of maintenance. */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type S3Request, signS3 } from '@/lib/portal/upstream/sign-s3'

type Right = 'write' | 'read' | 'list' | 'delete'

/** versions: whether it keeps them. faults: an answer to every request with this method instead of the right one. skewMs: of its clock. */
export type BucketRules = {
  rights: { server: readonly Right[]; maintenance: readonly Right[] }
  versions: boolean
  skewMs: number
  faults: Partial<Record<'GET' | 'PUT' | 'DELETE', { status: number; code: string }>>
  /** Never answers. */
  hangs: boolean
  /** What it returns of an object, instead of what was written. */
  altered: string | null
}

export type BucketServer = AsyncDisposable & {
  endpoint: string
  rules: BucketRules
  /** The names of the objects, and of each version. */
  objects: () => string[]
  /** The fields of the form that reach it. */
  fields: Record<string, string>
}

const bucket = 'copies'
const region = 'eu-test-1'
const keys = {
  server: { accessKeyId: 'SERVERKEY', secretAccessKey: 'canary-of-the-server-key' },
  maintenance: { accessKeyId: 'MAINTENANCEKEY', secretAccessKey: 'canary-of-the-maintenance-key' },
}

export async function startBucketServer(): Promise<BucketServer> {
  const rules: BucketRules = {
    rights: { server: ['write', 'read', 'list'], maintenance: ['read', 'list', 'delete'] },
    versions: true,
    skewMs: 0,
    faults: {},
    hangs: false,
    altered: null,
  }
  /** The body of each version; "" is the version of a bucket that keeps none. */
  const stored = new Map<string, Map<string, string>>()
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      if (rules.hangs) return
      const { status, code, text = '', version } = answer(request, Buffer.concat(parts).toString())
      response.setHeader('date', new Date(Date.now() + rules.skewMs).toUTCString())
      if (version) response.setHeader('x-amz-version-id', version)
      response.writeHead(status, { 'content-type': 'application/xml' })
      response.end(code ? `<?xml version="1.0"?><Error><Code>${code}</Code></Error>` : text)
    })
  })
  type Answer = { status: number; code?: string; text?: string; version?: string }

  function answer(request: IncomingMessage, body: string): Answer {
    const url = new URL(request.url ?? '/', 'http://bucket')
    const method = request.method as S3Request['method']
    const [, askedBucket = '', ...rest] = decodeURIComponent(url.pathname).split('/')
    const name = rest.join('/')
    const authorization = String(request.headers.authorization)
    const owner = (['server', 'maintenance'] as const).find((each) => authorization.includes(`Credential=${keys[each].accessKeyId}/`))
    if (!owner) return { status: 403, code: 'InvalidAccessKeyId' }
    if (!authorization.includes(`/${region}/s3/`)) return { status: 400, code: 'AuthorizationHeaderMalformed' }
    const time = String(request.headers['x-amz-date']).replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z')
    const query = Object.fromEntries(url.searchParams)
    const asked = { method, host: String(request.headers.host), path: decodeURIComponent(url.pathname), query, body }
    const expected = signS3(asked, { region, ...keys[owner] }, new Date(time)).headers.authorization
    if (authorization !== expected) return { status: 403, code: 'SignatureDoesNotMatch' }
    if (askedBucket !== bucket) return { status: 404, code: 'NoSuchBucket' }
    const fault = rules.faults[method]
    if (fault) return fault
    const right: Right = method === 'PUT' ? 'write' : method === 'DELETE' ? 'delete' : name === '' ? 'list' : 'read'
    if (!rules.rights[owner].includes(right)) return { status: 403, code: 'AccessDenied' }
    if (right === 'list') return { status: 200, text: '<ListBucketResult></ListBucketResult>' }
    if (right === 'write') {
      const version = rules.versions ? randomBytes(8).toString('hex') : ''
      const before = rules.versions ? (stored.get(name) ?? []) : []
      stored.set(name, new Map([...before, [version, body]]))
      return { status: 200, version }
    }
    const kept = stored.get(name)
    if (!kept) return { status: 404, code: 'NoSuchKey' }
    if (right === 'read') return { status: 200, text: rules.altered ?? [...kept.values()].at(-1) ?? '' }
    kept.delete(query.versionId ?? '')
    if (kept.size === 0) stored.delete(name)
    return { status: 204 }
  }

  // One that a test leaves does not keep its process alive.
  server.unref()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    endpoint,
    rules,
    objects: () => [...stored].flatMap(([name, kept]) => [...kept.keys()].map((version) => `${name} ${version}`)),
    fields: {
      label: 'Copies',
      keeper: 'team',
      endpoint,
      region,
      bucket,
      folder: 'fleet/a',
      serverKeyId: keys.server.accessKeyId,
      serverKeySecret: keys.server.secretAccessKey,
      maintenanceKeyId: keys.maintenance.accessKeyId,
      maintenanceKeySecret: keys.maintenance.secretAccessKey,
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}
