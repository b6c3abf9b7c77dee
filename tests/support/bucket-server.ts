/** A bucket of S3 on this machine, with two keys: the one of servers, whose rights a test chooses, and the one of maintenance. */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bodyOf, readSignature } from './s3-signature'

/** unlock: delete below a folder `locks`, which restic does. */
type Right = 'write' | 'read' | 'list' | 'delete' | 'unlock'

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
  /** The body of each version by the name of its object, the newest last. */
  stored: Map<string, Map<string, Buffer>>
  /** Bytes of the bodies of all requests. */
  received: () => number
  /** The fields of the form that reach it. */
  fields: Record<string, string>
}

const bucket = 'copies'
const region = 'eu-test-1'
const keys = {
  server: { accessKeyId: 'SERVERKEY', secretAccessKey: 'canary-of-the-server-key' },
  maintenance: { accessKeyId: 'MAINTENANCEKEY', secretAccessKey: 'canary-of-the-maintenance-key' },
}

type Answer = { status: number; code?: string; body?: Buffer | string; version?: string; headers?: Record<string, string> }

/** The whole object, the part that is asked for, or only its size. */
function read(request: IncomingMessage, whole: Buffer): Answer {
  const common = { 'content-type': 'application/octet-stream', etag: '"1"', 'last-modified': new Date().toUTCString() }
  if (request.method === 'HEAD') return { status: 200, headers: { ...common, 'content-length': String(whole.length) } }
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(String(request.headers.range)) ?? []
  if (from === undefined) return { status: 200, body: whole, headers: common }
  const end = to ? Math.min(Number(to), whole.length - 1) : whole.length - 1
  const range = { 'content-range': `bytes ${from}-${end}/${whole.length}` }
  return { status: 206, body: whole.subarray(Number(from), end + 1), headers: { ...common, ...range } }
}

/** As many as S3 lists at once. */
const maxListed = 1000

/** The names with the prefix, after that of start-after; those with a delimiter after it as folders. */
function listed(stored: ReadonlyMap<string, ReadonlyMap<string, Buffer>>, query: URLSearchParams): string {
  const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter') ?? '']
  const after = query.get('start-after') ?? ''
  const all = [...stored].filter(([name]) => name.startsWith(prefix) && name > after).sort(([one], [other]) => (one < other ? -1 : 1))
  const found = all.slice(0, maxListed)
  const isBelow = (name: string) => delimiter !== '' && name.slice(prefix.length).includes(delimiter)
  const folders = new Set(
    found.filter(([name]) => isBelow(name)).map(([name]) => prefix + name.slice(prefix.length).split(delimiter)[0] + delimiter),
  )
  const contents = found
    .filter(([name]) => !isBelow(name))
    .map(([name, kept]) => {
      const size = [...kept.values()].at(-1)?.length ?? 0
      return `<Contents><Key>${name}</Key><Size>${size}</Size><LastModified>${new Date().toISOString()}</LastModified></Contents>`
    })
  const common = [...folders].map((folder) => `<CommonPrefixes><Prefix>${folder}</Prefix></CommonPrefixes>`)
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${all.length > found.length}</IsTruncated>${contents.join('')}${common.join('')}</ListBucketResult>`
}

/** address: of this machine, where it can be reached. */
export async function startBucketServer(address = '127.0.0.1'): Promise<BucketServer> {
  const rules: BucketRules = {
    rights: { server: ['write', 'read', 'list', 'unlock'], maintenance: ['write', 'read', 'list', 'delete'] },
    versions: true,
    skewMs: 0,
    faults: {},
    hangs: false,
    altered: null,
  }
  /** The body of each version; "" is the version of a bucket that keeps none. */
  const stored = new Map<string, Map<string, Buffer>>()
  let received = 0
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => {
      received += part.length
      parts.push(part)
    })
    request.on('end', () => {
      if (rules.hangs) return
      const { status, code, body = '', version, headers } = answer(request, bodyOf(request, Buffer.concat(parts)))
      response.setHeader('date', new Date(Date.now() + rules.skewMs).toUTCString())
      if (version) response.setHeader('x-amz-version-id', version)
      response.writeHead(status, { 'content-type': 'application/xml', ...headers })
      response.end(code ? `<?xml version="1.0"?><Error><Code>${code}</Code></Error>` : body)
    })
  })

  function answer(request: IncomingMessage, body: Buffer): Answer {
    const url = new URL(request.url ?? '/', 'http://bucket')
    const [, askedBucket = '', ...rest] = decodeURIComponent(url.pathname).split('/')
    const name = rest.join('/')
    const signed = readSignature(request)
    const owner = (['server', 'maintenance'] as const).find((each) => signed?.accessKeyId === keys[each].accessKeyId)
    if (!signed || !owner) return { status: 403, code: 'InvalidAccessKeyId' }
    if (signed.region !== region) return { status: 400, code: 'AuthorizationHeaderMalformed' }
    if (!signed.isSignedBy(keys[owner])) return { status: 403, code: 'SignatureDoesNotMatch' }
    if (askedBucket !== bucket) return { status: 404, code: 'NoSuchBucket' }
    const method = request.method === 'PUT' || request.method === 'DELETE' ? request.method : 'GET'
    const fault = rules.faults[method]
    if (fault) return fault
    const unlocks = method === 'DELETE' && /(^|\/)locks\//.test(name) && rules.rights[owner].includes('unlock')
    const right: Right = method === 'PUT' ? 'write' : method === 'DELETE' ? 'delete' : name === '' ? 'list' : 'read'
    if (!unlocks && !rules.rights[owner].includes(right)) return { status: 403, code: 'AccessDenied' }
    if (right === 'list') return { status: 200, body: listed(stored, url.searchParams) }
    if (right === 'write') {
      const version = rules.versions ? randomBytes(8).toString('hex') : ''
      const before = rules.versions ? (stored.get(name) ?? []) : []
      stored.set(name, new Map([...before, [version, body]]))
      return { status: 200, version, headers: { etag: '"1"' } }
    }
    const kept = stored.get(name)
    if (!kept) return { status: 404, code: 'NoSuchKey' }
    if (right === 'read')
      return read(request, rules.altered === null ? ([...kept.values()].at(-1) ?? Buffer.alloc(0)) : Buffer.from(rules.altered))
    // Where versions are kept, one that is not named is only hidden, which is the same to who reads here.
    kept.delete(url.searchParams.get('versionId') ?? [...kept.keys()].at(-1) ?? '')
    if (kept.size === 0) stored.delete(name)
    return { status: 204 }
  }

  // One that a test leaves does not keep its process alive.
  server.unref()
  await new Promise<void>((resolve) => {
    server.listen(0, address, resolve)
  })
  const endpoint = `http://${address}:${(server.address() as AddressInfo).port}`
  return {
    endpoint,
    rules,
    stored,
    received: () => received,
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
