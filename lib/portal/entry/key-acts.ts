/** The operator's actions on the master key. Each returns the text to print and throws Refusal if it failed. */
import 'server-only'
import { randomUUID } from 'node:crypto'
import { writeHeadAfterRotation } from '@/lib/portal/audit/heads/write'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { recordAudit } from '@/lib/portal/audit/record'
import { verifyAudit } from '@/lib/portal/audit/verify'
import { db } from '@/lib/portal/base/db'
import { prepareNextKey } from '@/lib/portal/custody/new-key'
import { currentRing, SealBroken } from '@/lib/portal/custody/ring'
import { retireKeys, rotateTo, type Verification, verifyRing } from '@/lib/portal/custody/rotation'
import { getSettings } from '@/lib/settings/settings'
import { readAnyVersion, requirePresentVersion } from './older-database'
import { Refusal } from './operator-command'

// Changes that a running portal was saving during the rotation may still be written under the old key.
const graceMs = 10 * 60_000

/**
 * Decrypts every encrypted value and verifies the audit log, and completes both even if it finds errors. With a `mark` noted earlier, it also
 * detects entries cut off the end of the log.
 */
export const verify = (mark?: string): Promise<string> => readAnyVersion(() => verifyEverything(mark))

async function verifyEverything(mark?: string): Promise<string> {
  const found = await verifyRing()
  const said = found.broken.length > 0 ? formatBroken(found) : await formatOpened(found)
  const record = await checkRecord(mark)
  if (found.broken.length > 0 || !record.ok) throw new Refusal(`${said}\n${record.sentence}`)
  return `${said}\n${record.sentence}\n`
}

async function checkRecord(mark?: string): Promise<{ ok: boolean; sentence: string }> {
  try {
    const verdict = await verifyAudit(mark)
    if (!verdict.ok) return { ok: false, sentence: `The audit log cannot be trusted from entry ${verdict.badSeq} on. ${verdict.why}` }
    if (verdict.rows === 0) return { ok: true, sentence: 'The audit log is empty.' }
    const unbroken = `Log integrity verified: ${verdict.rows} ${verdict.rows === 1 ? 'entry' : 'entries'}, up to mark ${verdict.head}.`
    return { ok: true, sentence: [unbroken, ...verdict.notes].join('\n') }
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    return { ok: false, sentence: 'The audit log cannot be verified: its key cannot be decrypted.' }
  }
}

/**
 * Replaces the key in use with a new one and moves every data key under it; the old one can still decrypt. Finishes an interrupted
 * rotation.
 */
export async function rotate(): Promise<string> {
  requirePresentVersion()
  const kekId = await prepareNextKey()
  const found = await recorded('key.rotate', kekId, async () => {
    const moved = await rotateTo(kekId)
    if (moved.old + moved.broken.length > 0) throw new Refusal(formatLeft(moved))
    return moved
  })
  await writeHeadAfterRotation()
  return `${await formatOpened(found)}\nThe previous key still decrypts values that are being saved right now. Retire it in ten minutes: ./gatehouse keys retire\n`
}

/** Retires the previous key, once nothing can be encrypted under it any more. */
export async function retire(): Promise<string> {
  requirePresentVersion()
  const ring = await db().keyEncryptionKey.findMany()
  const old = ring.find(({ state }) => state === 'decryptOnly')
  if (!old) return 'There is no old key to retire.\n'
  const since = ring.find(({ state }) => state === 'active')?.createdAt.getTime() ?? 0
  if (Date.now() - since < graceMs) {
    throw new Refusal(
      'The keys were rotated less than ten minutes ago: values may still be saved under the old key. Wait until ten minutes have passed.',
    )
  }
  await writeHeadAfterRotation()
  await recorded('key.retire', old.id, retireKeys)
  const file = getSettings().portalOldKekFile
  return `The key ${old.id} is retired. Move ${file} away and keep it with the backups made until today: they need it.\n`
}

/** Logs the intent before and the outcome after; rethrows what `work` throws. */
async function recorded<T>(action: OwnAction, kekId: string, work: () => Promise<T>): Promise<T> {
  const actor = { kind: 'operator' } as const
  const event = {
    requestId: randomUUID(),
    teamId: null,
    actor,
    action,
    object: { kind: 'key' as const, id: kekId },
    detail: { via: 'shell' },
  }
  await recordAudit({ ...event, stage: 'intent', outcome: 'asked' })
  try {
    const done = await work()
    await recordAudit({ ...event, stage: 'outcome', outcome: 'done' })
    return done
  } catch (error) {
    await recordAudit({ ...event, stage: 'outcome', outcome: 'failed' })
    throw error
  }
}

async function formatOpened({ opened, old }: Verification): Promise<string> {
  const { active } = await currentRing()
  const under = old === 0 ? `all under the key ${active.id}` : `${old} of them under an old key: ./gatehouse keys rotate`
  return `${count(opened, 'sealed value')} ${opened === 1 ? 'opens' : 'open'}, ${under}.`
}

function formatBroken({ broken }: Verification): string {
  const lines = broken.map(({ table, id, kekId }) => {
    const why = kekId === null ? 'it is not an encrypted value' : `it is under the key ${kekId}, or was changed`
    return `${table} ${id} cannot be decrypted: ${why}.`
  })
  return lines.join('\n')
}

/** Lists the rows that a rotation could not move. The next rotation moves rows that were saved meanwhile. */
const formatLeft = (found: Verification): string =>
  found.broken.length > 0
    ? formatBroken(found)
    : `${count(found.old, 'sealed value')} changed in the meantime and could not be moved. Rotate again.`

const count = (many: number, thing: string): string => `${many} ${thing}${many === 1 ? '' : 's'}`
