import { expect, test } from 'vitest'
import { parseSettings } from '@/lib/settings/settings'

const parse = (environment: Record<string, string>) => parseSettings(environment, '/srv').portalPostgresql

test('without DATABASE_URL the database is a file', () => {
  expect(parse({})).toBeNull()
  expect(parseSettings({}, '/srv').servicePostgresql).toBeNull()
})

test('an address elsewhere is reached by TLS with a certificate that is checked', () => {
  const address = { host: 'db.example.org', port: 5432, user: 'gate house', database: 'portal', passwordFile: '/srv/p' }
  const url = 'postgresql://gate%20house@db.example.org/portal'
  expect(parse({ DATABASE_URL: url, DATABASE_PASSWORD_FILE: 'p' })).toEqual({ ...address, tls: { authorities: null } })
  const withMode = `${url}?sslmode=require&sslrootcert=ca.pem`
  expect(parse({ DATABASE_URL: withMode, DATABASE_PASSWORD_FILE: 'p' })).toEqual({ ...address, tls: { authorities: '/srv/ca.pem' } })
})

test('on this machine there is no TLS unless it is asked for', () => {
  expect(parse({ DATABASE_URL: 'postgres://g@127.0.0.1:5433/portal' })).toMatchObject({ host: '127.0.0.1', port: 5433, tls: null })
  expect(parse({ DATABASE_URL: 'postgres://g@[::1]/portal' })).toMatchObject({ host: '::1', tls: null })
  expect(parse({ DATABASE_URL: 'postgres://g@localhost/portal?host=/run/postgresql' })).toMatchObject({
    host: '/run/postgresql',
    tls: null,
  })
  expect(parse({ DATABASE_URL: 'postgres://g@localhost/portal?sslmode=verify-full' })).toMatchObject({ tls: { authorities: null } })
})

test.each([
  ['mysql://g@localhost/portal', /^DATABASE_URL is invalid/],
  ['postgres://g:hunter2@localhost/portal', /^DATABASE_URL must not contain a password: .*DATABASE_PASSWORD_FILE/],
  ['postgres://localhost/portal', /must name a user and a database/],
  ['postgres://g@localhost', /must name a user and a database/],
  ['postgres://g@db.example.org/portal?sslmode=disable', /only a database on this machine/],
  ['postgres://g@db.example.org/portal?sslmode=prefer', /sslmode=prefer/],
  ['postgres://g@localhost/portal?sslmode=no-verify', /sslmode=no-verify/],
  ['postgres://g@localhost/portal?options=x', /the parameter options/],
])('%s is refused without its password', (url, sentence) => {
  expect(() => parse({ DATABASE_URL: url })).toThrow(sentence)
  expect(() => parse({ DATABASE_URL: url })).not.toThrow(/hunter2/)
})

test('a password file needs an address, and portal and service need a database each', () => {
  expect(() => parse({ DATABASE_PASSWORD_FILE: 'p' })).toThrow(/^DATABASE_URL is missing/)
  expect(() => parse({ SERVICE_DATABASE_PASSWORD_FILE: 'p' })).toThrow(/^SERVICE_DATABASE_URL is missing/)
  const url = 'postgres://g@localhost/gatehouse'
  expect(() => parse({ DATABASE_URL: url, SERVICE_DATABASE_URL: `${url}?sslmode=disable` })).toThrow(/name the same database/)
  expect(parse({ DATABASE_URL: url, SERVICE_DATABASE_URL: `${url}-service` })).not.toBeNull()
})
