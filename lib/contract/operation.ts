/** An operation of the interface, defined once as a value and used everywhere. */
import type * as z from 'zod'
import type { Field } from '@/lib/contract/fields'

/**
 * read: changes nothing. export: changes nothing, but data or credentials leave, so viewers may not run it.
 * change: can be repeated or undone. destroy: deletes something for good.
 */
export type Effect = 'read' | 'export' | 'change' | 'destroy'

/** slow operations run as jobs in the portal, and services may answer them with a stream. */
type Pace = 'quick' | 'slow'

/**
 * The text that a user types to confirm. name: the name of the target server, site or connection. field: the value of that
 * request field, or for a list the number of its items.
 */
export type Confirm = 'name' | { readonly field: string }

/**
 * Whether a call is written to the audit log. followed: if a page repeats the call, only the first is. Calls other than
 * reads are always written.
 */
export type Audit = 'always' | 'never' | 'followed'

type FieldValue<F extends Field> = F extends { kind: 'flag' } ? boolean : F extends { kind: 'list' } ? readonly string[] : string

type RequiredFields<Fields extends Record<string, Field>> = {
  [K in keyof Fields as Fields[K] extends { extension: true } ? never : K]: FieldValue<Fields[K]>
}

type ExtensionFields<Fields extends Record<string, Field>> = {
  [K in keyof Fields as Fields[K] extends { extension: true } ? K : never]?: FieldValue<Fields[K]>
}

/** The placeholders of a path template, as keys. */
type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name | keyof PathParameters<Rest>]: string }
  : Record<never, string>

export type OperationDefinition = {
  method: 'GET' | 'POST'
  /** Template below the base URL, e.g. /servers/{server_id}/savecronjob */
  path: string
  fields: Record<string, Field>
  /** The members of the JSON answer besides `success`, in the interface's types, tolerant of deviations of real services. */
  answer: z.ZodObject
  /** Moves members from where real services send them to where `answer` expects them. Used only for decoding. */
  rearrange?: (body: Readonly<Record<string, unknown>>) => Record<string, unknown>
  /** The same, only for services that announce no extensions. */
  rearrangeForeign?: (body: Readonly<Record<string, unknown>>) => Record<string, unknown>
  effect: Effect
  pace: Pace
  /** One sentence for display, in the imperative: "Save a cron job". */
  description: string
  /** The words for Activity, unless they depend on the request: ["Rebooted", "Reboot", "the server"]. */
  activity?: readonly [done: string, tried: string, object: string]
  /** True for work on a whole server: its answer is a stream of id:/data: lines instead of JSON. */
  stream?: boolean
  /** Answered when the work is done, which may take hours. No user waits for it. */
  patient?: true
  /** Not part of the interface: sent only to services that announce extensions. */
  extension?: true
  confirm?: Confirm
  /** Requires the user to have entered the password recently, because somebody else may have found the session open. */
  freshSignIn?: true
  /** For reads; `never` by default. */
  audit?: Audit
  /** Whoever may do this can become root on the server: a grant has to say so in words. docs/decisions/070-grants.md */
  root?: true
  /** Another subject whose grants include it too: it stands on the page of that subject, and is asked for by its name. */
  grantedWith?: string
  /** Every API key may do this: a service that answers it with 401 or 403 refuses the key. */
  provesKey?: true
  /** The portal stores how to undo it. */
  undoable?: true
  /** Members of the answer that the portal's action returns to the page. */
  handsOn?: readonly string[]
}

/** A definition with its subject and id: `subject.verb`. */
export type Operation<Definition extends OperationDefinition = OperationDefinition> = Definition & {
  id: string
  subject: string
}

/** The input of a call: path parameters and request fields, by the interface's own names. */
export type Input<O extends OperationDefinition> = PathParameters<O['path']> & RequiredFields<O['fields']> & ExtensionFields<O['fields']>

/** The result of a call, without `success`. */
export type Answer<O extends OperationDefinition> = z.output<O['answer']>

/** The policy that an operation must state: a definition that omits it, or names an unknown field, is a compile error. */
type SoundPolicy<D extends OperationDefinition> = (D['effect'] extends 'destroy' ? { confirm: Confirm } : unknown) &
  (D['effect'] extends 'export' ? { freshSignIn: true } : unknown) &
  (D['effect'] extends 'read' ? unknown : { audit?: never }) &
  (D['effect'] extends 'change' ? unknown : { undoable?: never }) & {
    confirm?: 'name' | { field: keyof D['fields'] & string }
    handsOn?: readonly (keyof Answer<D> & string)[]
  }

/** Declares one operation and keeps its literal types. */
export function operation<const Definition extends OperationDefinition>(definition: Definition & SoundPolicy<Definition>): Definition {
  return definition
}

/** Groups operations by their noun and assigns their ids. */
export function subject<const Name extends string, const Definitions extends Record<string, OperationDefinition>>(
  name: Name,
  definitions: Definitions,
): { [Verb in keyof Definitions]: Definitions[Verb] & { id: `${Name}.${Verb & string}`; subject: Name } } {
  const entries = Object.entries(definitions).map(([verb, definition]) => [verb, { ...definition, id: `${name}.${verb}`, subject: name }])
  return Object.fromEntries(entries)
}
