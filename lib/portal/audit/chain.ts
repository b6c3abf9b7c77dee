/** How a row of the record is bound to the one before it. */
import 'server-only'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { StoredAuditRow } from '@/lib/portal/base/sql/audit-rows'

/** What the mac of the first row is chained to. */
export const chainStart = 'start'

/** The row's mac, hex: HMAC-SHA-256 over every member in a fixed order, the previous row's mac among them. */
export function chainMac(key: Buffer, row: Omit<StoredAuditRow, 'mac'>): string {
  const bound = [
    row.seq,
    row.at.toISOString(),
    row.requestId,
    row.teamId,
    row.actorKind,
    row.actorId,
    row.sessionId,
    row.action,
    row.objectKind,
    row.objectId,
    row.connectionId,
    row.stage,
    row.outcome,
    row.detail,
    row.prev,
    row.macKeyId,
  ]
  return createHmac('sha256', key).update(JSON.stringify(bound)).digest('hex')
}

/** Whether a stored mac is the one expected, in constant time. */
export function sameMac(expected: string, stored: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(stored)]
  return a.length === b.length && timingSafeEqual(a, b)
}
