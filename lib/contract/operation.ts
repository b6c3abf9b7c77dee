/** What an operation is: the interface's 48 calls are values of this type, written once and read by every other room. */
import type * as z from 'zod'

/** read: nothing changes. change: may be done again or undone. destroy: something is gone afterwards. */
export type Effect = 'read' | 'change' | 'destroy'

/** slow operations run as jobs in the portal and may be answered as a stream. */
type Pace = 'quick' | 'slow'

/**
 * How a request field travels. text and secret as they are; flag as 1 or 0; list as name[]=a&name[]=b.
 * secret is never logged, audited or echoed. extension fields are sent only to services that announce extensions.
 * A strict flag is one the law calls an integer: a reader takes 1 and 0 for it, nothing else.
 */
export type Field =
  | { kind: 'text' | 'secret'; extension?: boolean }
  | { kind: 'flag'; extension?: boolean; strict?: boolean }
  | { kind: 'list'; extension?: boolean }

type FieldValue<F extends Field> = F extends { kind: 'flag' } ? boolean : F extends { kind: 'list' } ? readonly string[] : string

type RequiredFields<Fields extends Record<string, Field>> = {
  [K in keyof Fields as Fields[K] extends { extension: true } ? never : K]: FieldValue<Fields[K]>
}

type ExtensionFields<Fields extends Record<string, Field>> = {
  [K in keyof Fields as Fields[K] extends { extension: true } ? K : never]?: FieldValue<Fields[K]>
}

/** The names in braces of a path template, as keys. */
type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name | keyof PathParameters<Rest>]: string }
  : Record<never, string>

export type OperationDefinition = {
  method: 'GET' | 'POST'
  /** Template below the base URL, e.g. /servers/{server_id}/savecronjob */
  path: string
  fields: Record<string, Field>
  /** The JSON answer's members besides `success`, in the law's types, tolerant of what real services send. */
  answer: z.ZodObject
  /** Puts members that real services send elsewhere where `answer` looks for them. Applied by readers of answers only. */
  rearrange?: (body: Readonly<Record<string, unknown>>) => Record<string, unknown>
  /** The same, for services that announce no extensions alone. */
  rearrangeForeign?: (body: Readonly<Record<string, unknown>>) => Record<string, unknown>
  effect: Effect
  pace: Pace
  /** One sentence for people, in the imperative: "Save a cron job". */
  says: string
  /** True for the one answer that is a stream of id:/data: lines instead of JSON. */
  stream?: boolean
}

/** A definition with its place: id is `subject.verb`. */
export type Operation<Definition extends OperationDefinition = OperationDefinition> = Definition & {
  id: string
  subject: string
}

/** What a caller hands in: path parameters and request fields, by the interface's own names. */
export type Input<O extends OperationDefinition> = PathParameters<O['path']> & RequiredFields<O['fields']> & ExtensionFields<O['fields']>

/** What a caller gets back, `success` left out. */
export type Answer<O extends OperationDefinition> = z.output<O['answer']>

/** Declares one operation, keeping its literal types. */
export function operation<const Definition extends OperationDefinition>(definition: Definition): Definition {
  return definition
}

/** Names a group of operations after their noun and gives each its id. */
export function subject<const Name extends string, const Definitions extends Record<string, OperationDefinition>>(
  name: Name,
  definitions: Definitions,
): { [Verb in keyof Definitions]: Definitions[Verb] & { id: `${Name}.${Verb & string}`; subject: Name } } {
  const entries = Object.entries(definitions).map(([verb, definition]) => [verb, { ...definition, id: `${name}.${verb}`, subject: name }])
  return Object.fromEntries(entries)
}

export const text = { kind: 'text' } as const
export const secret = { kind: 'secret' } as const
export const flag = { kind: 'flag' } as const
export const status = { kind: 'flag', strict: true } as const
export const list = { kind: 'list' } as const
export const extensionText = { kind: 'text', extension: true } as const
