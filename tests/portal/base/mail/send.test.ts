import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sendMail, sendsMail } from '@/lib/portal/base/mail/send'
import { startMailServer } from '@/tests/support/mail-server'
import { openPortalDatabase } from '@/tests/support/portal-database'

const mail = { to: 'ada@example.org', subject: 'Hello', text: 'A link: https://example.org/x\n' }
const from = { MAIL_FROM: 'Gatehouse <gatehouse@example.org>' }

test('a mail arrives with sender, recipient and text', async () => {
  await using server = await startMailServer()
  await using _ = await openPortalDatabase({ environment: { SMTP_URL: server.url, ...from } })
  expect(sendsMail()).toBe(true)
  expect(await sendMail(mail)).toBe('sent')
  expect(server.received).toEqual([{ to: 'ada@example.org', text: expect.stringContaining('A link: https://example.org/x') }])
  expect(server.received[0]?.text).toContain('From: Gatehouse <gatehouse@example.org>')
})

test('the password comes from its file', async () => {
  await using server = await startMailServer({ password: 'from the file' })
  await using portal = await openPortalDatabase({ environment: { SMTP_URL: server.url, SMTP_PASSWORD_FILE: 'smtp-password', ...from } })
  const file = join(portal.settings.dataDir, '..', 'smtp-password')
  expect(portal.settings.mail?.passwordFile).toBe(file)
  writeFileSync(file, 'from the file\n')
  expect(await sendMail(mail)).toBe('sent')
  expect(server.logins).toEqual(['gatehouse:from the file'])
})

test('a mail that fails is reported, not thrown; without a server none is sent', async () => {
  await using server = await startMailServer({ refuses: true })
  {
    await using _ = await openPortalDatabase({ environment: { SMTP_URL: server.url, ...from } })
    expect(await sendMail(mail)).toBe('failed')
  }
  await using _ = await openPortalDatabase({ environment: { SMTP_URL: 'smtp://127.0.0.1:1', ...from } })
  expect(await sendMail(mail)).toBe('failed')
  {
    await using _ = await openPortalDatabase()
    expect([sendsMail(), await sendMail(mail)]).toEqual([false, 'off'])
  }
})

test('an address cannot add recipients or headers', async () => {
  await using server = await startMailServer()
  await using _ = await openPortalDatabase({ environment: { SMTP_URL: server.url, ...from } })
  await sendMail({ ...mail, to: 'ada@example.org, eve@example.org', subject: 'Hello\r\nBcc: eve@example.org' })
  expect(server.received.filter(({ to }) => to === 'eve@example.org')).toEqual([])
  expect(server.received.some(({ text }) => /^Bcc:/m.test(text))).toBe(false)
})
