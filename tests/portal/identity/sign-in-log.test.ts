/** What the log says of sign-ins, and that the filter for fail2ban reads it. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openPortalDatabase, type PortalDatabase } from '@/tests/support/portal-database'
import { addPerson, password } from './people'
import { addActorWithApp } from './second-factor/authenticator'

type Try = { email: string; password: string; peer: string; code?: string }

const right = { email: 'Ada@example.org', password, peer: '192.0.2.7' }
const wrong = { email: 'ada@example.org', password: 'guessed', peer: '198.51.100.4' }

/** The lines that a process logs which makes these tries. */
function logOf({ settings }: PortalDatabase, tries: readonly Try[], logLevel = 'info'): string[] {
  const imports = ['--import', './tests/support/allow-server-only.js', '--import', 'tsx']
  const environment = { GATEHOUSE_DATA: settings.dataDir, GATEHOUSE_KEYS: settings.keysDir, LOG_LEVEL: logLevel }
  const written = execFileSync(process.execPath, [...imports, 'tests/support/sign-in-process.ts', JSON.stringify(tries)], {
    env: { ...process.env, NODE_ENV: 'test', ...environment },
    encoding: 'utf8',
  })
  return written.split('\n').filter((line) => line !== '')
}

/** The filter's own expression with fail2ban's tag as fail2ban expands it (fail2ban/server/failregex.py). */
function readFilter(): RegExp {
  const filter = readFileSync('deploy/fail2ban/gatehouse.conf', 'utf8')
  const expression = /^failregex = (.*)$/m.exec(filter)?.[1] ?? ''
  expect(expression).toContain('<SUBNET>')
  const subnet = String.raw`\[?(?:(?:::f{4,6}:)?(?<ip4>(?:\d{1,3}\.){3}\d{1,3})|(?<ip6>[0-9a-fA-F:]+::?[0-9a-fA-F:]*))(?:/(?<cidr>\d+))?\]?`
  return new RegExp(expression.replace('<SUBNET>', subnet))
}

const found = (line: string) => ({ ...readFilter().exec(line)?.groups })

test('each sign-in and each failed one is a line with peer and address, which the filter for fail2ban tells apart', {
  timeout: 180_000,
}, async () => {
  await using portal = await openPortalDatabase()
  await addPerson()
  const lines = logOf(portal, [right, wrong, { ...wrong, peer: '2001:db8:1:2::/64' }])
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 30, peer: '192.0.2.7', email: 'ada@example.org', msg: 'sign-in succeeded' },
    { level: 30, peer: '198.51.100.4', email: 'ada@example.org', reason: 'invalid', msg: 'sign-in failed' },
    { level: 30, peer: '2001:db8:1:2::/64', email: 'ada@example.org', reason: 'invalid', msg: 'sign-in failed' },
  ])
  expect(lines.map(found)).toMatchObject([{}, { ip4: '198.51.100.4' }, { ip6: '2001:db8:1:2::', cidr: '64' }])
  expect(found(lines[0] ?? '')).toEqual({})
  // As the journal gives it, and with the time cut out, as fail2ban does with a file.
  expect(found(`portal.example.com gatehouse-portal[712]: ${lines[1]}`)).toMatchObject({ ip4: '198.51.100.4' })
  expect(found((lines[1] ?? '').replace(/"time":"[^"]*"/, '"time":""'))).toMatchObject({ ip4: '198.51.100.4' })
})

test('a sign-in refused for too many attempts is logged as failed too', { timeout: 180_000 }, async () => {
  await using portal = await openPortalDatabase()
  const lines = logOf(
    portal,
    Array.from({ length: 7 }, () => wrong),
  )
  const reasons: string[] = lines.map((line) => JSON.parse(line).reason)
  expect(new Set(reasons)).toEqual(new Set(['invalid', 'too_many']))
  for (const line of lines) expect(found(line)).toMatchObject({ ip4: '198.51.100.4' })
})

test('a wrong code of the second factor is logged as a failed sign-in, a missing one is not', { timeout: 180_000 }, async () => {
  await using portal = await openPortalDatabase()
  await addActorWithApp()
  const lines = logOf(portal, [
    { ...right, code: '000000' },
    { ...right, code: '' },
  ])
  expect(lines.map((line) => [JSON.parse(line).msg, found(line).ip4])).toEqual([
    ['sign-in succeeded', undefined],
    ['sign-in failed', '192.0.2.7'],
    ['sign-in succeeded', undefined],
  ])
})

test('typed text cannot forge a log line or a peer, and shows no password', { timeout: 180_000 }, async () => {
  await using portal = await openPortalDatabase()
  const forged = '","peer":"203.0.113.9","email":null,"reason":"invalid","msg":"sign-in failed"}'
  const typed = [
    'a@example.org\n{"level":30,"time":"","peer":"203.0.113.9","email":null,"reason":"invalid","msg":"sign-in failed"}',
    `a@example.org${forged}`,
    `${'a'.repeat(100_000)}@example.org`,
    'hunter2-in-the-wrong-field',
  ]
  const lines = logOf(
    portal,
    typed.map((email, index) => ({ email, password: 'hunter2', peer: `198.51.100.${index + 1}` })),
  )
  expect(lines).toHaveLength(typed.length)
  for (const [index, line] of lines.entries()) {
    expect(found(line)).toMatchObject({ ip4: `198.51.100.${index + 1}` })
    expect(JSON.parse(line).email).toBeNull()
    expect(line.length).toBeLessThan(300)
  }
  expect(lines.join()).not.toContain('hunter2')
})

test('at LOG_LEVEL=warn sign-ins are not logged', { timeout: 180_000 }, async () => {
  await using portal = await openPortalDatabase()
  await addPerson()
  expect(logOf(portal, [right, wrong], 'warn')).toEqual([])
})
