/** Checks the record from its first row to its last. */
import 'server-only'
import { findOrCreateSecret } from '../custody/secrets'
import { db } from '../db'
import { chainMac, chainStart, sameMac } from './chain'

/** head: the last row's mac, to be kept elsewhere, so that a cut tail shows. */
export type AuditVerdict = { ok: true; rows: number; head: string } | { ok: false; badSeq: number; why: string }

const page = 1000

/**
 * Walks the chain. Names the first row that was edited, reordered or whose predecessor is missing. A cut tail cannot be
 * seen from inside: give the `head` noted earlier and it must still be found.
 */
export async function verifyAudit(notedHead?: string): Promise<AuditVerdict> {
  const secret = await findOrCreateSecret('audit')
  let [seq, prev, headSeen] = [0, chainStart, notedHead === undefined]
  for (;;) {
    const rows = await db().auditRow.findMany({ where: { seq: { gt: seq } }, orderBy: { seq: 'asc' }, take: page })
    for (const row of rows) {
      if (row.seq !== seq + 1) return { ok: false, badSeq: seq + 1, why: 'The row is missing.' }
      if (row.prev !== prev) return { ok: false, badSeq: row.seq, why: 'The row does not follow the one before it.' }
      if (row.macKeyId !== secret.id || !sameMac(chainMac(secret.key, row), row.mac)) {
        return { ok: false, badSeq: row.seq, why: 'The row was changed.' }
      }
      ;[seq, prev] = [row.seq, row.mac]
      headSeen ||= row.mac === notedHead
    }
    if (rows.length < page) break
  }
  if (!headSeen) return { ok: false, badSeq: seq + 1, why: 'Rows at the end are missing.' }
  return { ok: true, rows: seq, head: prev }
}
