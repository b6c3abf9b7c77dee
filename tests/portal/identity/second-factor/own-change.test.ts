import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { removePasskey } from '@/lib/portal/identity/passkeys/own'
import { confirmTotp, removeTotp, renewCodes, startTotp } from '@/lib/portal/identity/second-factor/totp'
import { disconnectProvider } from '@/lib/portal/identity/single-sign-on/own-provider'
import { createRowId } from '@/lib/portal/identity/token'
import { describeNotification } from '@/lib/portal/views/notifications/sentences'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { addActorWithPasskey, addTo } from '../passkeys/people'
import { scan } from './authenticator'

test('security 16: a session that ends while a form is open changes none of its user’s ways in', async () => {
  await using portal = await openPortalDatabase()
  const { actor, passkey } = await addActorWithPasskey()
  await addTo(actor)
  const started = await startTotp(actor, createRowId())
  const app = scan(started.ok ? started.data.secret : '')
  await db().externalIdentity.create({ data: { issuer: 'https://id.example', subject: 'a', userId: actor.user.id } })
  const stored = async () => [
    await db().passkey.count(),
    await db().totp.findMany(),
    await db().recoveryCode.findMany(),
    await db().externalIdentity.count(),
  ]
  const before = await stored()
  await portal.db.$executeRawUnsafe(
    `CREATE TRIGGER ends AFTER INSERT ON AuditRow WHEN new.stage = 'intent' BEGIN UPDATE Session SET revokedAt = createdAt; END`,
  )
  const changes = [
    () => removePasskey(actor, passkey.id, createRowId()),
    () => startTotp(actor, createRowId()),
    () => confirmTotp(actor, app.codeAt(0), createRowId()),
    () => renewCodes(actor, createRowId()),
    () => disconnectProvider(actor, createRowId()),
    () => removeTotp(actor, createRowId()),
  ]
  for (const change of changes) {
    await db().session.updateMany({ data: { revokedAt: null } })
    expect(await change()).toMatchObject({ ok: false, problem: { code: 'signed_out' } })
  }
  expect(await stored()).toEqual(before)
  expect((await db().auditRow.findFirst({ orderBy: { seq: 'desc' } }))?.detail).toContain('signed_out')
})

test('a user is notified of each way to sign in that was added or removed, and of nothing else', async () => {
  await using _ = await openPortalDatabase()
  const { actor, passkey } = await addActorWithPasskey()
  await renewCodes(actor, createRowId())
  const started = await startTotp(actor, createRowId())
  await confirmTotp(actor, scan(started.ok ? started.data.secret : '').codeAt(0), createRowId())
  await removePasskey(actor, passkey.id, createRowId())
  await removePasskey(actor, passkey.id, createRowId())
  const rows = await db().notification.findMany({ orderBy: { createdAt: 'asc' } })
  expect(rows.map(({ kind, detail }) => describeNotification(kind, JSON.parse(detail)).split('.')[0])).toEqual([
    'A passkey was added to your account',
    'An authenticator app was added to your account',
    'A passkey was removed from your account',
  ])
  expect(rows.map(({ userId }) => userId)).toEqual(Array(3).fill(actor.user.id))
})
