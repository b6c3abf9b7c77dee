import { hostname } from 'node:os'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findTarget, parseBaseUrl, requireBaseUrl } from '@/lib/portal/upstream/address'
import { send } from '@/lib/portal/upstream/egress'
import { isPublicAddress } from '@/lib/settings/network'
import { getSettings, parseSettings } from '@/lib/settings/settings'
import { seededRuns } from '@/tests/support/seeds'
import { startUpstream } from '@/tests/support/upstream/upstream'

/** Settings as an operator would give them, for the length of a test. */
function withSettings(environment: Record<string, string>) {
  const settings = getSettings()
  const before = { ...settings }
  Object.assign(settings, parseSettings(environment, '/tmp'))
  return { [Symbol.dispose]: () => Object.assign(settings, before) }
}

const refused = expect.objectContaining({ code: 'address_refused' })
const key = Buffer.from('gh_some-key-or-other')
const list = { method: 'GET', path: '/servers/' } as const

const insideHosts = [
  '127.0.0.1',
  '127.255.0.9',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '0',
  '0.0.0.0',
  '127.0.0.1.',
  '10.0.0.1',
  '10.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '100.100.100.200',
  '192.0.0.192',
  '198.18.0.1',
  '168.63.129.16',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '169.254.43518',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:a9fe:a9fe]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[2001::1]',
  '[100::1]',
  '１２７.0.0.1',
  '①②⑦.0.0.1',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'api.localhost',
  'ⓛocalhost',
]

for (const host of insideHosts) {
  test(`security 30: https://${host} is refused when it is saved and when it is called`, async () => {
    using _settings = withSettings({})
    for (const url of [`https://${host}`, `https://${host}:8443/api`, `http://${host}/`]) expect(parseBaseUrl(url), url).toEqual(refused)
    const origin = URL.canParse(`https://${host}`) ? new URL(`https://${host}`).origin : `https://${host}`
    const reply = await send({ credentialId: 'c', address: { origin, basePath: '' }, key }, list, { pace: 'read' })
    expect(reply).toEqual({ kind: 'failed', problem: refused, sent: false })
  })
}

const oddForms = [
  '',
  ' ',
  'example.com',
  '//example.com',
  'https:example.com',
  'https:/example.com',
  'https:\\\\example.com',
  'https://',
  'https:///x',
  'ftp://example.com',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'gopher://example.com',
  'data:,x',
  'ws://example.com',
  'unix:/run/x.sock',
  'https://user@example.com',
  'https://user:pass@example.com',
  'https://@example.com',
  'https://a@b@example.com',
  'https://example.com\\@127.0.0.1',
  'https://example.com?x=1',
  'https://example.com/#x',
  'https://example.com/a?b',
  'https://exa mple.com',
  'https://example.com/a b',
  'https://example.com/\r\nx',
  'https://example.com.',
  'https://a..example.com',
  'https://xn--a.example.com',
  'https://ü.xn--a.example.com',
  'https://٣.example.com',
  'https://example.com:99999',
  'https://[::1',
  'https://[fe80::1%25eth0]',
  'https://ex\0ample.com',
  'http://example.com',
  `https://example.com/${'a'.repeat(3000)}`,
]

for (const text of oddForms) {
  test(`security 30: ${JSON.stringify(text.slice(0, 60))} is not a base URL`, () => {
    using _settings = withSettings({})
    expect(parseBaseUrl(text)).toEqual(refused)
  })
}

test('security 30: no text yields a base URL inside the network, or anything but a plain http origin', () => {
  using _settings = withSettings({})
  const scheme = fc.constantFrom('https://', 'http://', 'HTTPS://', 'https:', 'ftp://', '')
  const host = fc.oneof(
    fc.ipV4(),
    fc.ipV6().map((each) => `[${each}]`),
    fc.domain(),
    fc.ipV4Extended(),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
  )
  const tail = fc.oneof(fc.constant(''), fc.webPath(), fc.string({ unit: 'binary', maxLength: 12 }))
  fc.assert(
    fc.property(fc.tuple(scheme, host, tail), (parts) => {
      const base = parseBaseUrl(parts.join(''))
      if ('code' in base) return
      const url = new URL(base.origin)
      expect([url.protocol, url.origin, url.username, url.search, url.hash]).toEqual(['https:', base.origin, '', '', ''])
      const literal = url.hostname.replace(/^\[|\]$/g, '')
      if (/^[\d.]+$|:/.test(literal)) expect(isPublicAddress(literal)).toBe(true)
      // What was saved is read back as itself.
      expect(findTarget(base)).toEqual({ ...base, trusted: false })
    }),
    { numRuns: seededRuns(10_000) },
  )
})

test('a base URL is parsed into origin and path, with and without a port, and without the trailing slash', () => {
  using _settings = withSettings({})
  expect(parseBaseUrl('https://Panel.Example.com')).toEqual({ origin: 'https://panel.example.com', basePath: '' })
  expect(parseBaseUrl(' https://panel.example.com:443/api/v1/ ')).toEqual({ origin: 'https://panel.example.com', basePath: '/api/v1' })
  expect(parseBaseUrl('https://bücher.example:8443//')).toEqual({ origin: 'https://xn--bcher-kva.example:8443', basePath: '' })
  expect(parseBaseUrl('https://93.184.215.14/a/../b')).toEqual({ origin: 'https://93.184.215.14', basePath: '/b' })
  expect(parseBaseUrl('https://[2606:2800:21f:cb07::1]')).toEqual({ origin: 'https://[2606:2800:21f:cb07::1]', basePath: '' })
})

test('the operator can allow private names, addresses and ranges, and then plain http to them', () => {
  using _settings = withSettings({ ALLOW_PRIVATE_UPSTREAMS: 'panel.internal, 10.1.0.0/16 fd00::/8,127.0.0.1' })
  for (const host of ['10.1.2.3', '[fd00::5]', '127.0.0.1', '[::ffff:127.0.0.1]', 'panel.internal']) {
    expect(parseBaseUrl(`http://${host}`), host).toEqual({
      origin: `http://${host.includes('ffff') ? '[::ffff:7f00:1]' : host}`,
      basePath: '',
    })
  }
  for (const host of ['10.2.0.1', '[fe80::1]', '127.0.0.2', '[::1]']) expect(parseBaseUrl(`https://${host}`), host).toEqual(refused)
  expect(parseBaseUrl('http://93.184.215.14')).toEqual(refused)
})

test('the operator’s own upstream may be private and plain http; its neighbours may not', () => {
  using _settings = withSettings({ UPSTREAM_URL: 'http://10.9.8.7:8080/api' })
  expect(parseBaseUrl('http://10.9.8.7:8080/api')).toEqual({ origin: 'http://10.9.8.7:8080', basePath: '/api' })
  expect(parseBaseUrl('http://10.9.8.7:8081')).toEqual(refused)
  expect(findTarget({ origin: 'http://10.9.8.7:8080', basePath: '/api' })).toEqual({
    origin: 'http://10.9.8.7:8080',
    basePath: '/api',
    trusted: true,
  })
})

test('the bundled service is on loopback, whatever its port, and nowhere while another one replaces it', () => {
  using _settings = withSettings({ SERVICE_PORT: '4711' })
  expect(findTarget({ origin: 'bundled', basePath: '/ignored' })).toEqual({ origin: 'http://127.0.0.1:4711', basePath: '', trusted: true })
  using _other = withSettings({ UPSTREAM_URL: 'https://panel.example.com' })
  expect(findTarget({ origin: 'bundled', basePath: '' })).toMatchObject({
    code: 'upstream_unreachable',
    sentence: expect.stringContaining('UPSTREAM_URL'),
  })
})

test('security 30: a name that resolves to an inside address is refused when saved and when called', async () => {
  await using upstream = await startUpstream()
  using _settings = withSettings({})
  // Every system knows this name as loopback; it stands for 127.0.0.1.nip.io and its like.
  for (const host of ['ip6-localhost', hostname()]) {
    const url = `https://${host.toLowerCase()}:${upstream.port}`
    expect(await requireBaseUrl(url), url).toEqual(refused)
    const reply = await send({ credentialId: 'c', address: { origin: url, basePath: '' }, key }, list, { pace: 'read' })
    expect(reply, url).toMatchObject({ kind: 'failed', sent: false })
  }
  expect(upstream.sockets).toBe(0)
})

test('a row whose address was edited to a different spelling is refused', () => {
  using _settings = withSettings({})
  for (const origin of [
    'https://a.example/',
    'https://a.example/x',
    'https://A.example',
    'https://a.example:443',
    'https://u@a.example',
    'file://x',
    '',
  ]) {
    expect(findTarget({ origin, basePath: '' }), origin).toEqual(refused)
  }
  for (const basePath of ['/', 'x', '/a/', '/a/../b', '?x', '.evil.example', ':8443', '@evil.example']) {
    expect(findTarget({ origin: 'https://a.example', basePath }), basePath).toEqual(refused)
  }
})
