/** Derives the consequences of an operation's policy. */
import type { TextField } from '@/lib/contract/fields'
import type { Audit, OperationDefinition } from '@/lib/contract/operation'

type GivenFields = Readonly<Record<string, unknown>>

/** Whether the operation may change something at the service, so that a lost answer leaves the outcome unknown. */
export const changesSomething = ({ effect }: Pick<OperationDefinition, 'effect'>): boolean => effect === 'change' || effect === 'destroy'

export function auditOf({ effect, audit }: OperationDefinition): Audit {
  return effect === 'read' ? (audit ?? 'never') : 'always'
}

/** The fields that the audit log may contain: none that is or may contain a secret. */
export function auditedFields({ fields }: OperationDefinition): string[] {
  return Object.entries(fields).flatMap(([name, field]) => (field.kind === 'secret' || field.audited === false ? [] : [name]))
}

const asking = (operation: OperationDefinition, given: GivenFields): TextField['asks'] | null => {
  for (const [name, field] of Object.entries(operation.fields)) {
    // Own properties only, because only these are sent.
    if ('asks' in field && field.asks && Object.hasOwn(given, name) && given[name] === field.asks.value) return field.asks
  }
  return null
}

/** Whether these fields only ask: then nothing changes or needs confirmation, and a lost answer leaves no unknown outcome. */
export const onlyAsks = (operation: OperationDefinition, given: GivenFields): boolean => asking(operation, given) !== null

const noSuchOperation = 'This service does not offer this extension of the interface.'

/**
 * Why this cannot be sent to a service without extensions, as a sentence; null if it can. Without the field that makes the operation
 * only ask, it would make the change.
 */
export function extensionRefusal(operation: OperationDefinition, given: GivenFields): string | null {
  return operation.extension ? noSuchOperation : (asking(operation, given)?.refusal ?? null)
}
