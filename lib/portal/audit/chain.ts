/** Chains each entry of the audit log to the previous one. */
import 'server-only'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { StoredAuditRow } from '@/lib/portal/base/sql/audit-rows'

/** Takes the place of the previous mac for the first row. */
export const chainStart = 'start'

/** The row's mac in hex: HMAC-SHA-256 over every member in a fixed order, including the previous row's mac. */
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

/** Compares two macs in constant time. */
export function sameMac(expected: string, stored: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(stored)]
  return a.length === b.length && timingSafeEqual(a, b)
}
