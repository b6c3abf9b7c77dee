/** What an operation is: the calls of the interface are values of this type, written once and read by every other room. */
import type * as z from 'zod'
import type { Field } from '@/lib/contract/fields'

/**
 * read: nothing changes. export: nothing changes, but data or credentials leave, so view-only roles may not.
 * change: may be done again or undone. destroy: something is gone afterwards.
 */
export type Effect = 'read' | 'export' | 'change' | 'destroy'

/** slow operations run as jobs in the portal and may be answered as a stream. */
type Pace = 'quick' | 'slow'

/**
 * What a person types to confirm. name: the name of the server, site or connection it is aimed at. field: what that request
 * field holds, of a list how many items.
 */
export type Confirm = 'name' | { readonly field: string }

/**
 * Whether a call is written to the audit log. followed: of calls that a page repeats while somebody follows, the first.
 * Whatever is not a read always is.
 */
export type Audit = 'always' | 'never' | 'followed'

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
  description: string
  /** How Activity tells of it, where nothing of the request belongs into the sentence: ["Rebooted", "Reboot", "the server"]. */
  activity?: readonly [done: string, tried: string, object: string]
  /** True for the one answer that is a stream of id:/data: lines instead of JSON. */
  stream?: boolean
  /** The interface does not have it: sent only to services that announce extensions. */
  extension?: true
  confirm?: Confirm
  /** Not from a session that somebody else may have found open: the password was given lately, or is given now. */
  freshSignIn?: true
  /** Of a read; `never` where nothing is said. */
  audit?: Audit
  /** The portal keeps what takes it back. */
  undoable?: true
  /** Members of the answer that an action of the portal hands on to the page. */
  handsOn?: readonly string[]
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

/** What the policy of an operation has to say: a definition that leaves it out, or names a field there is not, does not compile. */
type SoundPolicy<D extends OperationDefinition> = (D['effect'] extends 'destroy' ? { confirm: Confirm } : unknown) &
  (D['effect'] extends 'export' ? { freshSignIn: true } : unknown) &
  (D['effect'] extends 'read' ? unknown : { audit?: never }) &
  (D['effect'] extends 'change' ? unknown : { undoable?: never }) & {
    confirm?: 'name' | { field: keyof D['fields'] & string }
    handsOn?: readonly (keyof Answer<D> & string)[]
  }

/** Declares one operation, keeping its literal types. */
export function operation<const Definition extends OperationDefinition>(definition: Definition & SoundPolicy<Definition>): Definition {
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
