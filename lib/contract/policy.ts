/** Questions about the policy of an operation. */
import type { TextField } from '@/lib/contract/fields'
import type { Audit, OperationDefinition } from '@/lib/contract/operation'

type GivenFields = Readonly<Record<string, unknown>>

/** Whether the operation may change something at the service, so that a lost answer leaves the outcome unknown. */
export const changesSomething = ({ effect }: Pick<OperationDefinition, 'effect'>): boolean => effect === 'change' || effect === 'destroy'

export function auditOf({ effect, audit }: OperationDefinition): Audit {
  return effect === 'read' ? (audit ?? 'never') : 'always'
}

/** The fields whose values the audit log may contain: none that is, or may contain, a secret. */
export function auditedFields({ fields }: OperationDefinition): string[] {
  return Object.entries(fields).flatMap(([name, field]) => (field.kind === 'secret' || field.audited === false ? [] : [name]))
}

const asking = (operation: OperationDefinition, given: GivenFields): TextField['asks'] | null => {
  for (const [name, field] of Object.entries(operation.fields)) {
    // Only the fields' own values are sent, so only these count.
    if ('asks' in field && field.asks && Object.hasOwn(given, name) && given[name] === field.asks.value) return field.asks
  }
  return null
}

/** Whether these fields only ask: then nothing changes, nothing has to be confirmed, and a lost answer leaves nothing open. */
export const onlyAsks = (operation: OperationDefinition, given: GivenFields): boolean => asking(operation, given) !== null

const noSuchOperation = 'This service does not offer this extension of the interface.'

/**
 * Why a service that announces no extensions cannot be sent this, in a sentence; null where it can. Without the field that
 * makes it ask, asking would become doing.
 */
export function extensionRefusal(operation: OperationDefinition, given: GivenFields): string | null {
  return operation.extension ? noSuchOperation : (asking(operation, given)?.refusal ?? null)
}
