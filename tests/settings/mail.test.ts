import { expect, test } from 'vitest'
import { parseSettings } from '@/lib/settings/settings'

const parse = (environment: Record<string, string>) => parseSettings(environment, '/srv').mail

test('without SMTP_URL there is no mail', () => {
  expect(parse({})).toBeNull()
})

test('the address of the server, its user, the file of the password and the sender', () => {
  expect(parse({ SMTP_URL: 'smtps://robin%40x@mail.example.org', SMTP_PASSWORD_FILE: 'p', MAIL_FROM: 'a@b.org' })).toEqual({
    host: 'mail.example.org',
    port: 465,
    implicitTls: true,
    user: 'robin@x',
    passwordFile: '/srv/p',
    from: 'a@b.org',
  })
  expect(parse({ SMTP_URL: 'smtp://mail.example.org', MAIL_FROM: 'a@b.org' })).toMatchObject({ port: 587, implicitTls: false, user: null })
})

test.each([
  [{ SMTP_URL: 'https://mail.example.org' }, /^SMTP_URL is invalid/],
  [{ SMTP_URL: 'smtp://a:hunter2@mail.example.org', MAIL_FROM: 'a@b.org' }, /^SMTP_URL must not contain a password/],
  [{ SMTP_URL: 'smtp://mail.example.org' }, /^MAIL_FROM is missing/],
  [{ SMTP_URL: 'smtp://a@mail.example.org', MAIL_FROM: 'a@b.org' }, /SMTP_PASSWORD_FILE/],
])('%j is refused without its password', (environment, sentence) => {
  expect(() => parse(environment)).toThrow(sentence)
  expect(() => parse(environment)).not.toThrow(/hunter2/)
})
