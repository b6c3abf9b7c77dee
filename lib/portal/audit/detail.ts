/** Limits the detail of an audit log entry: only named members, short, never a secret. */
import 'server-only'
import type { OperationDefinition } from '@/lib/contract/operation'
import { auditedFields } from '@/lib/contract/policy'
import type { Problem } from '@/lib/contract/problem'
import { withoutReason } from '@/lib/contract/sentence'

export type AuditDetail = Readonly<Record<string, string | number | boolean | null | undefined>>

/** Members that the portal itself may store. `detailOfFields` adds request fields as `field.NAME`. */
const allowed = new Set([
  'about',
  'address',
  'code',
  'count',
  'digest',
  'email',
  'from',
  'happened',
  'hostKey',
  'job',
  'jobs',
  'keeper',
  'label',
  'lines',
  'name',
  'peer',
  'purpose',
  'reason',
  'role',
  'says',
  'session',
  'state',
  'undoes',
  'undos',
  'until',
  'userAgent',
  'via',
  'was',
  'why',
])

const maxLength = 200

/** Why something did not succeed. An outcome may be unknown for several reasons; what the service said itself is not kept. */
export function detailOfFailure(failure: Problem | null): AuditDetail {
  if (failure?.code !== 'outcome_unknown') return { code: failure?.code }
  return { code: failure.code, reason: withoutReason(failure.sentence) }
}

/** The detail as stored: JSON of the allowed members, each cut to 200 characters. */
export function renderDetail(detail: AuditDetail): string {
  const kept = Object.entries(detail)
    .filter(([name, value]) => (allowed.has(name) || name.startsWith('field.')) && value !== undefined && value !== null)
    .map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, maxLength) : value])
  return JSON.stringify(Object.fromEntries(kept))
}

/** The request fields of an operation that the contract allows in the audit log. Unknown names are dropped. */
export function detailOfFields(operation: OperationDefinition, fields: Readonly<Record<string, unknown>>): AuditDetail {
  const kept = auditedFields(operation).flatMap((name) => {
    const value = fields[name]
    if (value === undefined) return []
    return [[`field.${name}`, Array.isArray(value) ? value.join(', ') : String(value)]]
  })
  return Object.fromEntries(kept)
}
