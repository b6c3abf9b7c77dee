/** Forgot password, as its page calls it. */
import { beforeEach, expect, test, vi } from 'vitest'
import { forgot } from '@/app/(public)/forgot/actions'
import { closeDatabase, db, openDatabase } from '@/lib/portal/base/db'
import { recheckActor } from '@/lib/portal/identity/actor'
import { requestEmail } from '@/lib/portal/identity/change-email'
import { createRowId } from '@/lib/portal/identity/token'
import { openFaultyDatabase } from '@/tests/support/faulty-database'
import { startMailServer } from '@/tests/support/mail-server'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { addPerson, device, openFor } from './people'

const sent = new Headers()

vi.mock('next/headers', () => ({ headers: async () => sent }))

beforeEach(() => {
  for (const name of [...sent.keys()]) sent.delete(name)
})

const openWith = (url: string, publicUrl = 'http://localhost:3000') => {
  sent.set('origin', publicUrl)
  return openPortalDatabase({ environment: { SMTP_URL: url, MAIL_FROM: 'gatehouse@example.org', PUBLIC_URL: publicUrl } })
}

function ask(email: string) {
  const form = new FormData()
  form.set('email', email)
  return forgot(null, form)
}

test('security 13: an unknown address gets the same answer after the same statements; only a member gets a mail', async () => {
  await using server = await startMailServer()
  await using portal = await openWith(server.url)
  const { email } = await addPerson()
  await closeDatabase()
  const disk = openFaultyDatabase(portal.settings.portalDatabase)
  openDatabase(disk.database)
  const statements: Record<string, number[]> = { [email]: [], 'eva@example.org': [] }
  for (let round = 1; round <= 5; round += 1) {
    for (const [address, counts] of Object.entries(statements)) {
      // As if nobody had asked before, so that each known one is mailed.
      await db().signInThrottle.deleteMany()
      disk.heal()
      expect(await ask(address)).toEqual({ ok: true, data: null })
      counts.push(disk.count())
      await vi.waitFor(() => expect(server.received).toHaveLength(round), { timeout: 10_000, interval: 5 })
    }
  }
  const [known = [], unknown = []] = Object.values(statements)
  expect(new Set([...known, ...unknown]).size).toBe(1)
  expect(known[0]).toBeGreaterThan(0)
  expect(new Set(server.received.map(({ to }) => to))).toEqual(new Set([email]))
})

test('security 20: links in mails begin with the configured address, whatever host the request names', async () => {
  await using server = await startMailServer()
  await using _ = await openWith(server.url, 'https://portal.example')
  const person = await addPerson()
  const actor = await recheckActor((await openFor(person)).sessionId)
  if (!actor) throw new Error('The session does not stand.')
  for (const [name, value] of [
    ['host', 'evil.example'],
    ['x-forwarded-host', 'evil.example'],
    ['x-forwarded-proto', 'http'],
    ['forwarded', 'host=evil.example;proto=http'],
  ] as const)
    sent.set(name, value)
  expect(await ask(person.email)).toEqual({ ok: true, data: null })
  await vi.waitFor(() => expect(server.received).toHaveLength(1), { timeout: 10_000 })
  const requested = await requestEmail(actor, 'ada@new.example', device.peer, createRowId())
  if (requested.ok) await requested.data.sent()
  const links = server.received.map(({ text }) => /https?:\S*/g.exec(text)?.[0])
  expect(links).toEqual([
    expect.stringMatching(/^https:\/\/portal\.example\/recover\?token=[\w-]{43}$/),
    expect.stringMatching(/^https:\/\/portal\.example\/account\/email\?token=[\w-]{43}$/),
  ])
  expect(server.received.map(({ text }) => text).join()).not.toContain('evil')
})
