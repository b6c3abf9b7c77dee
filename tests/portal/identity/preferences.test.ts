import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { recheckActor } from '@/lib/portal/identity/actor'
import { isTimeZone, preferencesOf, savePreferences, timeZones, usualPreferences } from '@/lib/portal/identity/preferences'
import { zoneFor } from '@/lib/portal/identity/shown-preferences'
import { openPortalDatabase } from '../../support/portal-database'
import { addPerson, openFor } from './people'

test('preferences are stored with the user and loaded with the session', async () => {
  await using _ = await openPortalDatabase()
  const person = await addPerson()
  const { sessionId } = await openFor(person)
  expect((await recheckActor(sessionId))?.preferences).toEqual(usualPreferences)
  const chosen = { theme: 'dark', density: 'compact', timeZone: 'Asia/Kathmandu' } as const
  expect(await savePreferences(person.userId, chosen)).toEqual({ ok: true, data: chosen })
  expect((await recheckActor(sessionId))?.preferences).toEqual(chosen)
  expect(await savePreferences(person.userId, usualPreferences)).toEqual({ ok: true, data: usualPreferences })
  expect(await db().user.findFirst({ select: { theme: true, density: true, timeZone: true } })).toEqual({
    theme: null,
    density: null,
    timeZone: null,
  })
})

test('an unknown value is refused at its field and changes nothing', async () => {
  await using _ = await openPortalDatabase()
  const { userId } = await addPerson()
  const odd = { theme: 'sepia', density: '__proto__', timeZone: 'Europe/Atlantis' }
  expect(await savePreferences(userId, odd)).toMatchObject({
    problem: { fields: { theme: expect.any(String), density: expect.any(String), timeZone: expect.any(String) } },
  })
  expect(preferencesOf({ ...odd })).toEqual(usualPreferences)
})

test('every listed zone can be chosen, and no other text', () => {
  expect(timeZones().length).toBeGreaterThan(300)
  expect(timeZones().filter((zone) => !isTimeZone(zone))).toEqual([])
  for (const text of ['', '+01:00', 'Europe/Berlin\n', `Europe/${'B'.repeat(200)}`, '../etc']) expect(isTimeZone(text)).toBe(false)
})

test('times are formatted in the chosen zone, else in the browser’s, else in UTC', () => {
  expect(zoneFor({ timeZone: 'Asia/Tokyo' }, 'Europe/Berlin')).toBe('Asia/Tokyo')
  expect(zoneFor({ timeZone: '' }, 'Europe/Berlin')).toBe('Europe/Berlin')
  expect(zoneFor({ timeZone: '' }, 'nonsense; path=/')).toBe('UTC')
  expect(zoneFor({ timeZone: '' }, undefined)).toBe('UTC')
})
