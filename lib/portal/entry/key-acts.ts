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
import { retireKeys, rotateTo, verifyRing } from '@/lib/portal/custody/rotation'
import type { Verification } from '@/lib/sealing/sealed-rows'
import { formatBroken, formatLeft, formatNext, formatOpened, formatRetired, graceMs, tooEarly } from '@/lib/sealing/verification-text'
import { getSettings } from '@/lib/settings/settings'
import { readAnyVersion, requirePresentVersion } from './older-database'
import { Refusal } from './operator-command'

const [rotateCommand, retireCommand] = ['./gatehouse keys rotate', './gatehouse keys retire']

/**
 * Decrypts every encrypted value and verifies the audit log, and completes both even if it finds errors. With a `mark` noted earlier, it also
 * detects entries cut off the end of the log.
 */
export const verify = (mark?: string): Promise<string> => readAnyVersion(() => verifyEverything(mark))

async function verifyEverything(mark?: string): Promise<string> {
  const found = await verifyRing()
  const said = found.broken.length > 0 ? formatBroken(found) : await inWords(found)
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
  await requirePresentVersion()
  const kekId = await prepareNextKey()
  const found = await recorded('key.rotate', kekId, async () => {
    const moved = await rotateTo(kekId)
    if (moved.old + moved.broken.length > 0) throw new Refusal(formatLeft(moved))
    return moved
  })
  await writeHeadAfterRotation()
  return `${await inWords(found)}\n${formatNext(retireCommand)}\n`
}

/** Retires the previous key, once nothing can be encrypted under it any more. */
export async function retire(): Promise<string> {
  await requirePresentVersion()
  const ring = await db().keyEncryptionKey.findMany()
  const old = ring.find(({ state }) => state === 'decryptOnly')
  if (!old) return 'There is no old key to retire.\n'
  const since = ring.find(({ state }) => state === 'active')?.createdAt.getTime() ?? 0
  if (Date.now() - since < graceMs) throw new Refusal(tooEarly)
  await writeHeadAfterRotation()
  await recorded('key.retire', old.id, retireKeys)
  return `${formatRetired(old.id, getSettings().portalOldKekFile)}\n`
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

const inWords = async (found: Verification): Promise<string> => formatOpened(found, (await currentRing()).active.id, rotateCommand)
