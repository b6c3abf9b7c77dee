/** Checks values against the limits of the bundled service, and words the errors. */
import type { LimitName, Limits } from '@/lib/contract/fields'
import type { Input, OperationDefinition } from '@/lib/contract/operation'
import { onlyAsks } from '@/lib/contract/policy'

const patterns = new Map<string, RegExp>()

function matches(pattern: string, value: string): boolean {
  const known = patterns.get(pattern) ?? new RegExp(`^(?:${pattern})$`, 'u')
  patterns.set(pattern, known)
  return known.test(value)
}

function inRange(value: string, { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: Limits): boolean {
  return /^(0|[1-9]\d{0,14})$/.test(value) && Number(value) >= min && Number(value) <= max
}

/** The first broken limit. Checks the length before the pattern, which therefore never sees a very long text. */
function brokenLimit(value: string, limits: Limits): LimitName | null {
  const { minLength, maxLength, maxBytes, pattern, values } = limits
  if (maxLength !== undefined && value.length > maxLength) return 'maxLength'
  if (pattern !== undefined && !matches(pattern, value)) return 'pattern'
  if (minLength !== undefined && [...value].length < minLength) return 'minLength'
  if (maxBytes !== undefined && new TextEncoder().encode(value).length > maxBytes) return 'maxBytes'
  if (values !== undefined && !values.includes(value)) return 'values'
  const ranged = limits.min !== undefined || limits.max !== undefined
  return ranged && !inRange(value, limits) ? 'range' : null
}

const listed = new Intl.ListFormat('en-GB', { type: 'disjunction', style: 'long' })

/** The default error for each limit. */
const sentences: Readonly<Record<LimitName, (limits: Limits) => string>> = {
  minLength: ({ minLength }) => `Enter at least ${minLength} ${minLength === 1 ? 'character' : 'characters'}.`,
  maxLength: ({ maxLength }) => `Enter at most ${maxLength} characters.`,
  maxBytes: ({ maxBytes }) => `Enter at most ${maxBytes} bytes.`,
  range: ({ min, max }) => `Enter a number from ${min ?? 0} to ${max ?? 'any'}.`,
  pattern: () => 'This value is not allowed.',
  values: ({ values = [] }) => `Enter ${listed.format(values)}.`,
}

/** The error for a broken `limit` of a field. */
export function messageOf(limits: Limits, limit: LimitName): string {
  const { message } = limits
  return (typeof message === 'string' ? message : message?.[limit]) ?? sentences[limit](limits)
}

/** Why a value is refused, as a sentence; null if it is valid. Call `read` first, because the value is checked unchanged. */
export function limitRefusal(limits: Limits, value: string): string | null {
  const broken = brokenLimit(value, limits)
  return broken && messageOf(limits, broken)
}

/** The limits in a few words, for documents: "at most 100 characters"; empty if there are none. */
export function describeLimits({ minLength, maxLength, maxBytes, min, max, pattern, values }: Limits): string[] {
  return [
    ...(minLength === undefined ? [] : [`at least ${minLength} ${minLength === 1 ? 'character' : 'characters'}`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxBytes === undefined ? [] : [`at most ${maxBytes.toLocaleString('en-GB')} bytes`]),
    ...(min === undefined && max === undefined ? [] : [`${min ?? 0} to ${max ?? 'any'}`]),
    ...(values === undefined ? [] : [values.map((value) => (value === '' ? 'empty' : `\`${value}\``)).join(', ')]),
    ...(pattern === undefined ? [] : [`matches \`${pattern}\``]),
  ]
}

/**
 * Checks an input against the limits of its operation's fields.
 * @returns the input with each text normalised by its field's `read`, and the refusals by field
 */
export function applyLimits<O extends OperationDefinition>(
  operation: O,
  input: Input<O>,
): { input: Input<O>; refusals: Record<string, string> } {
  const given: Readonly<Record<string, unknown>> = input
  const asks = onlyAsks(operation, given)
  const refusals: Record<string, string> = {}
  const read: Record<string, unknown> = { ...given }
  for (const [name, field] of Object.entries(operation.fields)) {
    const value = given[name]
    if ((field.kind !== 'text' && field.kind !== 'secret') || typeof value !== 'string') continue
    const text = field.read?.(value) ?? value
    const refusal = asks && field.unusedWhenAsking ? null : limitRefusal(field, text)
    if (refusal !== null) refusals[name] = refusal
    read[name] = text
  }
  // The same members of the same kinds; the type system cannot follow computed names.
  return { input: read as Input<O>, refusals }
}
