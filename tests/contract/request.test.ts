import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contract, operations } from '@/lib/contract/index'
import type { Operation } from '@/lib/contract/operation'
import { isProblem } from '@/lib/contract/problem'
import {
  chooseOperation,
  decodeFields,
  decodeInput,
  decodeQuery,
  encodeRequest,
  type Fields,
  fieldsFromEntries,
  matchRequest,
  methodsOf,
  PathIdRefused,
} from '@/lib/contract/request'
import { seededRuns } from '@/tests/support/seeds'

const { servers, sites, apps, mail, firewall } = contract
const form = 'application/x-www-form-urlencoded'
const bytes = (text: string) => new TextEncoder().encode(text)

const parametersOf = (operation: Operation): string[] => [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')

const anyText = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '').replace(/\p{Cs}/gu, ''))
const anyId = fc.stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9_-]{0,30}$/).filter((id) => id !== 'create')

/** Any input an operation takes, extension fields among them. */
function inputOf(operation: Operation) {
  const fields = Object.entries(operation.fields).map(([name, field]) => {
    if (field.kind === 'flag') return [name, fc.boolean()] as const
    if (field.kind === 'list') return [name, fc.array(field.plainItems ? anyId : anyText.filter((text) => text !== ''))] as const
    return [name, field.extension ? anyText.filter((text) => text !== '') : anyText] as const
  })
  const parameters = parametersOf(operation).map((name) => [name, anyId] as const)
  return fc.record<Record<string, unknown>>(Object.fromEntries([...parameters, ...fields]))
}

/** Reads a request as a service does, from the wire to the input. */
async function readAsService(request: { method: string; path: string; body?: string; contentType?: string }) {
  const { pathname, search } = new URL(request.path, 'http://upstream')
  const match = matchRequest(request.method, pathname)
  if (isProblem(match)) return match
  const fields = await (request.method === 'GET'
    ? decodeQuery(search)
    : decodeFields(request.contentType ?? null, bytes(request.body ?? '')))
  if (isProblem(fields)) return fields
  const chosen = chooseOperation(match.operations, fields)
  return isProblem(chosen) ? chosen : { id: chosen.id, input: decodeInput(chosen, fields, match.pathParameters) }
}

async function readFields(contentType: string, body: string): Promise<Fields> {
  const fields = await decodeFields(contentType, bytes(body))
  if (isProblem(fields)) throw new Error(fields.sentence)
  return fields
}

test.each(operations)('a request of $id arrives as it was sent', async (operation) => {
  const property = fc.asyncProperty(inputOf(operation), async (input) => {
    const request = encodeRequest(operation, input as never, { extensions: true })
    expect(await readAsService(request)).toEqual({ id: operation.id, input })
  })
  await fc.assert(property, { numRuns: seededRuns(100) })
})

test('every field is sent, empty ones too, but no extension to a service that has none', () => {
  const input = { provider: '', dns: '', name: 'a', host: 'b', user: 'c', pass: 'd', port: '22', region: '', type: '', host_key: 'ask' }
  const plain = encodeRequest(servers.create, input, { extensions: false })
  expect(plain.body).toBe('provider=&dns=&name=a&host=b&user=c&pass=d&port=22&region=&type=')
  expect(plain.contentType).toBe(form)
  expect(encodeRequest(servers.create, input, { extensions: true }).body).toContain('&host_key=ask')
})

test('a GET carries its fields in the query, and none to a service without extensions', async () => {
  const input = { site_id: 's', without_backup: true }
  expect(encodeRequest(sites.delete, input, { extensions: true })).toEqual({ method: 'GET', path: '/sites/s/delete?without_backup=1' })
  expect(encodeRequest(sites.delete, input, { extensions: false })).toEqual({ method: 'GET', path: '/sites/s/delete' })
  expect(encodeRequest(sites.delete, { site_id: 's' }, { extensions: true }).path).toBe('/sites/s/delete')
  expect(await decodeQuery('')).toEqual(new Map())
  expect(await decodeQuery('?a=%')).toMatchObject({ code: 'invalid' })
})

test('lists carry brackets and an empty list is still there; flags are 1 and 0', () => {
  const sent = (tables: string[]) =>
    encodeRequest(apps.push, { site_id: 's', files: true, database: false, tables }, { extensions: false }).body
  expect(decodeURIComponent(sent(['a', 'b']) ?? '')).toBe('files=1&database=0&tables[]=a&tables[]=b')
  expect(decodeURIComponent(sent([]) ?? '')).toBe('files=1&database=0&tables[]=')
})

test.each([
  [form, 'ids%5B%5D=a&ids%5B%5D=b'],
  [form, 'ids[]=a&ids[]=b'],
  [form, 'ids[0]=a&ids[1]=b'],
  [form, 'ids=a&ids=b'],
  [`${form}; charset=utf-8`, 'ids[]=&ids[]=a&ids[]=b'],
  ['application/json', '{"ids":["a","b"]}'],
  ['application/json; charset=utf-8', '{"ids[]":["a","b"]}'],
  ['application/json', '{"ids":"a,b"}'],
  ['application/json', '{"ids":"[\\"a\\",\\"b\\"]"}'],
  [form, 'ids=a,b'],
  [form, 'ids%5B%5D=a%2C+b'],
  [form, 'ids=%5B%22a%22%2C+%22b%22%5D'],
  [form, 'ids[]=["a","b"]'],
  [
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="ids[]"\r\n\r\na\r\n--x\r\ncontent-disposition: form-data; name="ids[]"\r\n\r\nb\r\n--x--\r\n',
  ],
])('a list is read from %s: %s', async (contentType, body) => {
  expect(decodeInput(mail.delete, await readFields(contentType, body))).toEqual({ ids: ['a', 'b'] })
})

test('one value stands for a list of one, and the empty list is a list', async () => {
  expect(decodeInput(mail.delete, await readFields(form, 'ids=a'))).toEqual({ ids: ['a'] })
  expect(decodeInput(mail.delete, await readFields(form, 'ids[]='))).toEqual({ ids: [] })
  expect(decodeInput(mail.delete, await readFields('application/json', '{"ids":[]}'))).toEqual({ ids: [] })
})

test.each([
  ['a,b', ['a,b']],
  ['["a","b,c"]', ['a', 'b,c']],
  ['["a"', ['["a"']],
  ['[["a"]]', ['[["a"]]']],
  ['{"a":1}', ['{"a":1}']],
  ['[]', []],
])('names of tables may have commas, so %s are the tables %j', async (given, tables) => {
  const read = async (name: string) =>
    decodeInput(apps.pull, await readFields(form, `files=1&database=1&${new URLSearchParams([[name, given]])}`))
  expect(await read('tables')).toMatchObject({ tables })
  // Under the brackets, each value is one table, whatever it is called: a push must not replace another one.
  expect(await read('tables[]')).toMatchObject({ tables: [given] })
})

test.each([
  [form, 'files=1&database=1'],
  ['application/json', '{"files":true,"database":true}'],
  ['application/json', '{"files":true,"database":true,"tables":null}'],
])('form encoders drop an empty list, so that of tables may be absent: %s %s', async (contentType, body) => {
  const read = { files: true, database: true, tables: [] }
  expect(decodeInput(apps.pull, await readFields(contentType, body))).toEqual(read)
  expect(decodeInput(apps.push, await readFields(contentType, body))).toEqual(read)
})

test('a list of what is to be deleted, and any other field, is missing when it is absent', async () => {
  const missing = (field: string) => ({ code: 'invalid', fields: { [field]: 'This field is missing.' } })
  for (const operation of [mail.delete, contract.backups.delete, contract.serverBackups.delete])
    expect(decodeInput(operation, await readFields(form, 'id=a'))).toMatchObject(missing('ids'))
  expect(decodeInput(servers.update, await readFields(form, 'name=a'))).toMatchObject(missing('dns'))
})

test('the region and the type of a new server may be absent', async () => {
  const fields = { provider: 'ssh', dns: '', name: 'a', host: 'b', user: 'c', pass: 'd', port: '22' }
  const read = decodeInput(servers.create, await readFields(form, new URLSearchParams(fields).toString()))
  expect(read).toEqual({ ...fields, region: '', type: '' })
})

test('multipart values keep line breaks, quotes and what looks like a boundary', async () => {
  const values = { name: 'a"b', dns: 'line one\r\nline two\r\n--x', extra: '–' }
  const data = new FormData()
  for (const [name, value] of Object.entries(values)) data.set(name, value)
  const response = new Response(data)
  const fields = await decodeFields(response.headers.get('content-type'), new Uint8Array(await response.arrayBuffer()))
  expect(fields).toEqual(fieldsFromEntries(Object.entries(values)))
})

test.each([
  ['1', true],
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['0', false],
  ['false', false],
  ['False', false],
])('%s is a flag, of whatever field', async (given, value) => {
  expect(decodeInput(firewall.toggle, await readFields(form, `status=${given}`))).toEqual({ status: value })
  const tables: string[] = []
  expect(decodeInput(apps.pull, await readFields(form, `files=${given}&database=${given}`))).toEqual({
    files: value,
    database: value,
    tables,
  })
  expect(decodeInput(sites.delete, (await decodeQuery(`?without_backup=${given}`)) as Fields)).toEqual({ without_backup: value })
})

test('JSON has its own flags', async () => {
  const read = async (value: string) => decodeInput(firewall.toggle, await readFields('application/json', `{"status":${value}}`))
  expect([await read('true'), await read('1'), await read('"True"')]).toEqual(Array(3).fill({ status: true }))
  expect([await read('false'), await read('0')]).toEqual(Array(2).fill({ status: false }))
  for (const other of ['2', 'null', '1.5', '"on"']) expect(await read(other)).toMatchObject({ code: 'invalid' })
})

test.each(['2', '-1', 'on', 'yes', '', '01', '1.0', 'tru', ' 1'])('%j is no flag', async (given) => {
  const refused = { code: 'invalid', fields: { status: expect.any(String) } }
  expect(decodeInput(firewall.toggle, await readFields(form, new URLSearchParams({ status: given }).toString()))).toMatchObject(refused)
})

test('a refusal names every field that is missing or is not what belongs there', async () => {
  expect(decodeInput(servers.update, await readFields(form, 'dns[]=a'))).toMatchObject({
    code: 'invalid',
    fields: { name: 'This field is missing.', dns: 'Enter one value, not a list.' },
  })
  expect(decodeInput(servers.update, await readFields(form, 'name=a%00b&dns=c&dns=d'))).toMatchObject({
    fields: { name: expect.any(String), dns: expect.any(String) },
  })
})

test('a host key that lost its value is refused, for without one the first key would be trusted', async () => {
  const body = 'provider=&dns=&name=a&host=b&user=c&pass=d&port=22&region=&type='
  expect(decodeInput(servers.create, await readFields(form, `${body}&host_key=`))).toMatchObject({
    fields: { host_key: expect.any(String) },
  })
  expect(decodeInput(servers.create, await readFields(form, body))).not.toHaveProperty('host_key')
})

/** A multipart body of one part. */
const part = (name: string, value: string, more = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n--x--`

test.each([
  ['text/plain', 'name=a', 'invalid'],
  [null, 'name=a', 'invalid'],
  ['application/json', '[1]', 'invalid'],
  ['application/json', '{"name":{"not":null}}', 'invalid'],
  ['application/json', '{"name":"a","name":"b"}', 'invalid'],
  ['application/json', '{"ids":["a"],"ids[]":["b"]}', 'invalid'],
  ['application/json', '{"__proto__":{"name":"a"}}', 'invalid'],
  ['application/json', '{"ids":[["a"]]}', 'invalid'],
  ['application/json', `{"ids":${'['.repeat(50_000)}`, 'invalid'],
  [form, 'name=%', 'invalid'],
  [form, 'name=%ff', 'invalid'],
  ['multipart/form-data', '--x--', 'invalid'],
  ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n', 'invalid'],
  ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a"; filename="f"\r\n\r\nb\r\n--x--', 'invalid'],
  ['multipart/form-data; boundary=x', part('a', 'b', "; filename*=utf-8''f"), 'invalid'],
  ['multipart/form-data; boundary=x', `before\r\n${part('a', 'b')}`, 'invalid'],
  ['multipart/form-data; boundary=x', '--x\r\n'.repeat(200_000), 'invalid'],
  ['multipart/form-data; boundary=x', `--x\r\n${'A: b\r\n'.repeat(170_000)}\r\nb\r\n--x--`, 'invalid'],
  ['multipart/form-data; boundary=x', part('a', '').replace('--x--', '').repeat(10_001).concat('--x--'), 'too_large'],
  ['multipart/form-data; boundary=x', part('a', 'b'.repeat(1_048_576)), 'too_large'],
  [form, Array.from({ length: 10_001 }, (_, index) => `a${index}=`).join('&'), 'too_large'],
  [form, `a=${'b'.repeat(1_048_576)}`, 'too_large'],
])('a body that cannot be read for certain is refused: %s %.60s', async (contentType, body, code) => {
  expect(await decodeFields(contentType, bytes(body))).toMatchObject({ code })
})

test('bytes that are no UTF-8 are refused, and an empty body has no fields', async () => {
  expect(await decodeFields(form, new Uint8Array([0x61, 0x3d, 0xff]))).toMatchObject({ code: 'invalid' })
  const multipart = new Uint8Array(bytes(part('a', '?')).map((byte) => (byte === 0x3f ? 0xff : byte)))
  expect(await decodeFields('multipart/form-data; boundary=x', multipart)).toMatchObject({ code: 'invalid' })
  expect(await decodeFields(null, new Uint8Array())).toEqual(new Map())
})

test('a path is recognised with and without its last slash, and by its own method alone', () => {
  expect(matchRequest('GET', '/servers')).toMatchObject({ operations: [{ id: 'servers.list' }] })
  expect(matchRequest('GET', '/servers/')).toMatchObject({ operations: [{ id: 'servers.list' }] })
  expect(matchRequest('GET', '/servers/7/summary/')).toMatchObject({ pathParameters: { server_id: '7' } })
  expect(matchRequest('POST', '/sites/create')).toMatchObject({ operations: [{ id: 'sites.create' }] })
  expect(matchRequest('POST', '/sites/7')).toMatchObject({ operations: [{ id: 'backups.restore' }] })
  for (const method of ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE', 'get', 'POST']) {
    expect(matchRequest(method, '/servers/7/delete')).toMatchObject({ code: 'method_not_allowed' })
  }
  for (const path of ['', '/', 'servers', '//servers', '/servers//', '/servers/7', '/servers/7/summary/x', '/servers/%37/summary']) {
    expect(matchRequest('GET', path)).toMatchObject({ code: 'not_found' })
  }
  // HEAD only where GET changes nothing.
  expect(matchRequest('HEAD', '/servers/')).toMatchObject({ operations: [{ id: 'servers.list' }] })
  for (const path of ['/servers/7/install', '/sites/7/backup/creates', '/sites/7/download', '/sites/create'])
    expect(matchRequest('HEAD', path)).toMatchObject({ code: 'method_not_allowed' })
  expect(methodsOf('/sites/7/backups')).toEqual(['GET', 'HEAD', 'POST'])
  expect(methodsOf('/sites/7/delete')).toEqual(['GET'])
  expect(methodsOf('/nowhere')).toEqual([])
})

const hostile = [
  '', '.', '..', '../7', '7/../8', '%2e%2e', '%2E%2E%2F', '7/delete', '7?x=1', '7#x', '7\r\nX: y', '7\n', '\r', ' ', '7 ', '\t', '\0',
  'ä', '７', '‥', '\u2028', '%', '%00', '\\', '..\\7', '7;x', '.hidden', 'a..b', 'a'.repeat(200), '"', "'", '<', '+', '&', '=', '😀',
] // biome-ignore format: one line of each kind reads better

test.each(['server_id', 'site_id', 'app'])(
  'security 41: a %s that could become another path is refused before anything is sent',
  (name) => {
    for (const operation of operations.filter((candidate) => parametersOf(candidate).includes(name))) {
      const good = Object.fromEntries(parametersOf(operation).map((parameter) => [parameter, 'good']))
      for (const value of [...hostile, undefined, null, 7, ['7'], { toString: () => '7' }]) {
        const encode = () => encodeRequest(operation, { ...good, [name]: value } as never, { extensions: true })
        expect(encode, `${operation.id} ${JSON.stringify(value)}`).toThrow(PathIdRefused)
      }
    }
  },
)

test('security 41: whatever the ids are, the path sent is that of the operation', () => {
  const property = fc.property(fc.constantFrom(...operations), fc.string({ unit: 'binary' }), fc.string(), (operation, one, other) => {
    try {
      const input = { server_id: one, site_id: one, app: other }
      const { method, path } = encodeRequest(operation, input as never, { extensions: false })
      expect(new URL(path, 'http://upstream').pathname).toBe(path)
      expect(matchRequest(method, path)).toMatchObject({ operations: expect.arrayContaining([operation]) })
    } catch (error) {
      expect(error).toBeInstanceOf(PathIdRefused)
    }
  })
  fc.assert(property, { numRuns: seededRuns(10_000) })
})

test('security 41: a site that calls itself "create" cannot turn a restore into a new site', () => {
  const encode = () => encodeRequest(contract.backups.restore, { site_id: 'create', restore: 'x' }, { extensions: true })
  expect(encode).toThrow(PathIdRefused)
})

test('security 41: the service does not know hostile ids either', () => {
  for (const id of hostile) {
    expect(matchRequest('GET', `/servers/${id}/delete`), id).toMatchObject({ code: 'not_found' })
  }
})

const shared = [
  ['/servers/7/hostname', 'servers.setHostname', ['hostname'], 'servers.resetKey', ['user', 'pass']],
  ['/servers/7/savesystemuser', 'firewall.toggle', ['status'], 'users.save', ['user', 'pass']],
] as const

test.each(shared)('security 40: on %s only its own fields choose an operation', (path, oneId, oneFields, otherId, otherFields) => {
  const match = matchRequest('POST', path)
  if (isProblem(match)) throw new Error(match.sentence)
  const names = fc.uniqueArray(fc.constantFrom('hostname', 'user', 'pass', 'status', 'host_key', 'name', 'USER', '__proto__'))
  const property = fc.property(names, fc.string(), (given, value) => {
    const known = given.filter((name) =>
      [...oneFields, ...otherFields, ...(oneId === 'servers.setHostname' ? ['host_key'] : [])].includes(name as never),
    )
    const mandatory = known
      .filter((name) => name !== 'host_key')
      .toSorted()
      .join()
    const chosen = chooseOperation(match.operations, fieldsFromEntries(given.map((name) => [name, value])))
    const expected =
      mandatory === oneFields.join() && !known.includes('host_key')
        ? oneId
        : mandatory === otherFields.toSorted().join()
          ? otherId
          : 'ambiguous'
    expect(isProblem(chosen) ? chosen.code : chosen.id).toBe(expected)
  })
  fc.assert(property, { numRuns: seededRuns(2_000) })
})

test('security 40: what one operation sends is never read as the other', async () => {
  const pairs = [servers.setHostname, servers.resetKey, firewall.toggle, contract.users.save] as const
  for (const operation of pairs) {
    const property = fc.asyncProperty(inputOf(operation), async (input) => {
      expect(await readAsService(encodeRequest(operation, input as never, { extensions: true }))).toMatchObject({ id: operation.id })
    })
    await fc.assert(property, { numRuns: seededRuns(500) })
  }
})
