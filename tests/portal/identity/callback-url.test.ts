import fc from 'fast-check'
import { expect, test } from 'vitest'
import { authOptions } from '@/lib/portal/identity/next-auth'
import { getSettings } from '@/lib/settings/settings'
import { openPortalDatabase } from '../../support/portal-database'
import { seededRuns } from '../../support/seeds'

test('security 20: no callback URL leads anywhere but to a page of the portal', async () => {
  await using _portal = await openPortalDatabase()
  const redirect = authOptions().callbacks?.redirect
  const { origin } = getSettings().publicUrl
  const piece = fc.constantFrom(
    '/',
    '\\',
    '//',
    'https:',
    'javascript:',
    '%09',
    '\t',
    '\r\n',
    '@',
    '.',
    'evil.example',
    'localhost',
    ':3000',
    '#',
    '?',
  )
  const url = fc.oneof(
    fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),

    fc.string({ unit: 'binary' }),
  )
  const property = fc.asyncProperty(url, url, async (given, base) => {
    const to = new URL((await redirect?.({ url: given, baseUrl: base })) ?? '')
    expect([to.origin, to.pathname.startsWith('//'), to.pathname.startsWith('/api')]).toEqual([origin, false, false])
  })
  await fc.assert(property, { numRuns: seededRuns(10_000) })
})
