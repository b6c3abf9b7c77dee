/** Verifies the audit log from the first to the last row, against itself and against the signed heads outside the database. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { readStoredAuditRows, type StoredAuditRow } from '@/lib/portal/base/sql/audit-rows'
import { nextTurn } from '@/lib/portal/base/turns'
import { findSecret, idOfSecret, type SubKey } from '@/lib/portal/custody/secrets'
import { chainMac, chainStart, sameMac } from './chain'
import { type KeptHeads, readKeptHeads, type Seen } from './heads/kept'

/**
 * head: the last row's mac, to be noted elsewhere. notes: remarks for the operator that are not violations. badSeq: the first row that
 * is wrong or missing.
 */
export type AuditVerdict = { ok: true; rows: number; head: string; notes: string[] } | Broken
type Broken = { ok: false; badSeq: number; why: string }

type Walked = { rows: number; head: string; noted: boolean; firstAt: Date | null; unheadedAt: Date | null; agreed: Agreed[] }

/** A row that still matches a head. */
type Agreed = { seq: number; turn: number }

/** A page of rows and its check occupy the process for some 10 ms. */
const page = 250

// Heads are written once a minute, so younger rows may have none yet.
const headedWithinMs = 3 * 60_000

/**
 * Walks the chain. Reports the first row that was edited or reordered or whose predecessor is missing, and rows cut off the end although
 * a signed head, or a mark that the operator noted earlier, covers them.
 */
export async function verifyAudit(notedHead?: string): Promise<AuditVerdict> {
  // Read before the walk, so that the walk sees every row that has a head.
  const heads = await readKeptHeads()
  const walked = await walk(heads, notedHead)
  if ('ok' in walked) return walked
  const missing = findCut(heads, walked) ?? (await findDoubt(heads, walked))
  if (missing) return missing
  return { ok: true, rows: walked.rows, head: walked.head, notes: [...heads.notes, ...noteUnheaded(heads, walked)] }
}

async function walk(heads: KeptHeads, notedHead: string | undefined): Promise<Walked | Broken> {
  const secret = await findSecret(idOfSecret('audit'))
  const walked: Walked = { rows: 0, head: chainStart, noted: notedHead === undefined, firstAt: null, unheadedAt: null, agreed: [] }
  for (;;) {
    const rows = await readStoredAuditRows(walked.rows, page)
    for (const row of rows) {
      const why = findBreak(row, walked, secret)
      if (why !== null) return { ok: false, badSeq: walked.rows + 1, why }
      const seen = heads.rows.get(row.seq)
      if (seen && seen.row !== row.mac) {
        const kept = findKept(walked, seen)
        const why = `Entries after ${kept} were replaced: on ${seen.at} entry ${row.seq} was a different one.`
        return { ok: false, badSeq: kept + 1, why }
      }
      if (seen) walked.agreed.push({ seq: row.seq, turn: seen.turn })
      walked.firstAt ??= row.at
      if (row.seq > (heads.last?.seq ?? 0)) walked.unheadedAt ??= row.at
      walked.noted ||= row.mac === notedHead
      walked.rows = row.seq
      walked.head = row.mac
    }
    if (rows.length < page) return walked
    // SQLite answers within the same turn, so that a log of a million rows would keep everybody waiting for minutes.
    await nextTurn()
  }
}

function findBreak(row: StoredAuditRow, { rows, head }: Walked, secret: SubKey | null): string | null {
  if (row.seq !== rows + 1) return 'The entry is missing.'
  if (!secret) return 'The key of the audit log is missing from the database.'
  if (row.prev !== head) return 'The entry does not follow the previous one.'
  if (row.macKeyId !== secret.id || !sameMac(chainMac(secret.key, row), row.mac)) return 'The entry was changed.'
  return null
}

/** The last existing row whose head is older than `seen`. Rows written later in place of missing ones have later heads. */
const findKept = ({ agreed }: Walked, seen: Seen): number =>
  Math.max(
    0,
    ...agreed
      .filter(({ turn }) => turn < seen.turn)
      .slice(-1)
      .map(({ seq }) => seq),
  )

/** Finds rows missing at the end although a head or the mark covers them. */
function findCut(heads: KeptHeads, walked: Walked): Broken | null {
  let last: (Seen & { seq: number }) | null = null
  for (const [seq, seen] of heads.rows) if (seq > (last?.seq ?? walked.rows)) last = { seq, ...seen }
  if (last) {
    const { at, seq, turn } = last
    const continued = walked.agreed.some((each) => each.turn > turn)
    const badSeq = (continued ? findKept(walked, last) : walked.rows) + 1
    return { ok: false, badSeq, why: `Entries at the end are missing: on ${at} there were ${seq}.` }
  }
  return walked.noted ? null : { ok: false, badSeq: walked.rows + 1, why: 'Entries at the end are missing.' }
}

/** Finds reasons why the end of the log cannot be confirmed. */
async function findDoubt(heads: KeptHeads, { rows, firstAt }: Walked): Promise<Broken | null> {
  if (rows === 0 && (await db().membership.count({ where: { role: 'owner' } })) > 0) {
    return { ok: false, badSeq: 1, why: 'There is an owner, but the audit log is empty.' }
  }
  const age = firstAt === null ? 0 : Date.now() - firstAt.getTime()
  // A negative age means that the clock was set back; it does not make a row young.
  const young = age >= 0 && age < headedWithinMs
  return heads.trouble === null || (heads.missing && young) ? null : { ok: false, badSeq: rows + 1, why: heads.trouble }
}

/** Notes rows without a head although there was time to write one: the portal was killed, or cannot write the file. */
function noteUnheaded({ last }: KeptHeads, { rows, unheadedAt }: Walked): string[] {
  if (!unheadedAt || Date.now() - unheadedAt.getTime() < headedWithinMs) return []
  return [
    `Entries after ${last?.seq ?? 0}, up to ${rows}, have no signed head yet; the first of them was written on ${unheadedAt.toISOString()}.`,
  ]
}
