/** Schemas for the members of answers: strict types that tolerate known deviations of services. */
import * as z from 'zod'

/** backup: the nightly one. renewal: of a certificate. updates: those that the server installs automatically. */
export const serverEventKinds = ['backup', 'renewal', 'updates', 'reboot'] as const
export type ServerEventKind = (typeof serverEventKinds)[number]

type Members = Record<string, unknown>

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Converts numbers and booleans to text; null and undefined become empty. The schema refuses anything else. */
function scalarToText(value: unknown): unknown {
  if (value === null || value === undefined) return ''
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}

function toFlag(value: unknown): unknown {
  if (value === 1 || value === '1' || value === 'true') return true
  if (value === 0 || value === '0' || value === 'false') return false
  return value
}

/** Converts whole numbers; "41%" or "12.4 GB" stay unchanged. */
function toSize(value: unknown): unknown {
  const text = scalarToText(value)
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : text
}

/** PHP encodes an array with gaps, or an empty one, as an object keyed by numbers. */
export function toArray(value: unknown): unknown {
  if (value === null) return []
  if (!isObject(value)) return value
  return Object.keys(value).every((key) => /^\d+$/.test(key)) ? Object.values(value) : [value]
}

function firstOf(value: unknown): unknown {
  const all = toArray(value)
  return Array.isArray(all) ? all.slice(0, 1) : all
}

/** A scalar, which the interface calls a string. */
export const text = z.preprocess(scalarToText, z.string())

/** A string that identifies something; without it the answer is invalid. */
export const id = z.preprocess(scalarToText, z.string().min(1))

/** The kinds of objects that permissions can be granted on. */
type Granted = 'server' | 'site' | 'connection'

/** Marks the members of an answer that name such an object: `server.id`. */
export const marks = z.registry<{ 'x-names': `${Granted}.${'id' | 'name'}` }>()

function mark<Member extends z.ZodType>(member: Member, names: `${Granted}.${'id' | 'name'}`): Member {
  const own = member.clone()
  marks.add(own, { 'x-names': names })
  return own
}

/**
 * What becomes of an id in an answer, if the server or site it means is out of the reader's sight. item: the item of the list that has it is left
 * out. member: it is empty. target: it means what the operation acts on, or made, which was decided before the call.
 */
export type AnswerFilter = 'item' | 'member' | 'target'

/** The filter of each member that idOf made. */
export const answerFilters = z.registry<{ 'x-filter': AnswerFilter }>()

/** A member that contains the id of a server, site or connection. */
export function idOf(granted: Granted, filter: AnswerFilter): typeof id
export function idOf<Member extends z.ZodType>(granted: Granted, filter: AnswerFilter, member: Member): Member
export function idOf(granted: Granted, filter: AnswerFilter, member: z.ZodType = id): z.ZodType {
  const marked = mark(member, `${granted}.id`)
  answerFilters.add(marked, { 'x-filter': filter })
  return marked
}

/** The same for a name or its equivalent, such as a site's domain. */
export function nameOf(granted: Granted): typeof id
export function nameOf<Member extends z.ZodType>(granted: Granted, member: Member): Member
export function nameOf(granted: Granted, member: z.ZodType = id): z.ZodType {
  return mark(member, `${granted}.name`)
}

/** A boolean. Required, because a missing value is not false. */
export const flag = z.preprocess(toFlag, z.boolean())

/** A whole number. */
export const count = z.preprocess(toSize, z.number().int().nonnegative())

/** Bytes if the service sent a plain number, otherwise its own text. */
export const size = z.preprocess(toSize, z.union([z.number(), z.string()]))

/**
 * Always a list, even if the service sent one object, an object keyed by numbers, or null. Required, because a missing list is not empty:
 * everything in it would count as gone.
 */
export function listOf<Member extends z.ZodType>(member: Member) {
  return z.preprocess(toArray, z.array(member))
}

/** A list that only some services send. */
export function optionalListOf<Member extends z.ZodType>(member: Member) {
  return z.preprocess((value) => toArray(value ?? null), z.array(member))
}

/** The interface's `item`: an array with one object. Also accepts the object alone. */
export function oneOf<Member extends z.ZodType>(member: Member) {
  return z.preprocess(firstOf, z.tuple([member]))
}

/** An object of which nothing is required: some services send null, an empty array of PHP, or nothing at all for it. */
export function partOf<Shape extends z.ZodRawShape>(shape: Shape) {
  const toPart = (value: unknown) => (value === null || value === undefined || (Array.isArray(value) && value.length === 0) ? {} : value)
  return z.preprocess(toPart, z.object(shape))
}

/** The addresses that the resolver returned for a name. */
export const dns = partOf({ A: text, MX: text })

/** Extension members. Optional, and dropped if another service uses their name for something else. */
export const maybeText = z.string().optional().catch(undefined)
export const maybeCount = z.number().int().nonnegative().optional().catch(undefined)
export const maybeFlag = z.boolean().optional().catch(undefined)
export const maybeTexts = z.array(z.string()).optional().catch(undefined)
/** The parts of a server that an install left unchanged, each with a sentence that says why. */
export const maybeKept = z
  .array(z.object({ part: z.string(), reason: z.string() }))
  .optional()
  .catch(undefined)
/** Sites of a server that belong to others. owner: a tag that stands for an account; empty if the server does not say whose they are. */
export const maybeHeld = z
  .array(z.object({ domain: z.string(), owner: z.string() }))
  .optional()
  .catch(undefined)
/**
 * What a server did by its own timers, and when it booted. id: the same at each answer. at: an ISO time. detail: a sentence, or empty. site: the
 * domain it is about, or empty.
 */
export const maybeEvents = z
  .array(
    z.object({
      id: z.string().min(1),
      kind: z.enum(serverEventKinds),
      at: z.iso.datetime(),
      outcome: z.enum(['done', 'failed']),
      detail: z.string(),
      site: z.string(),
    }),
  )
  .optional()
  .catch(undefined)
/** The users of sites of a server, each with the domain of its site. */
export const maybeSiteUsers = z
  .array(z.object({ user: z.string(), domain: z.string() }))
  .optional()
  .catch(undefined)
export const maybeDns = z.object({ A: z.string(), MX: z.string() }).optional().catch(undefined)

/** The names of a site that its certificate lacks, each with a sentence that says why. */
export const maybeLeftOut = z
  .array(z.object({ name: z.string(), reason: z.string() }))
  .optional()
  .catch(undefined)

/**
 * Whether a certificate authority would find each name of a site. ready: it would; warning: probably; blocked: it would not, and switching
 * SSL on is refused if this is the site's domain. reason: a sentence, empty for ready.
 */
export const maybeNameChecks = z
  .array(z.object({ name: z.string(), result: z.enum(['ready', 'warning', 'blocked']), reason: z.string() }))
  .optional()
  .catch(undefined)

/** The state of a server, as the bundled service reports it. */
export const maybeState = z.enum(['new', 'installing', 'ready', 'failed']).optional().catch(undefined)

/** The tables of a database, with the rows that the database server estimates. */
export const maybeTables = z
  .array(z.object({ name: z.string(), bytes: z.number(), rows: z.number() }))
  .optional()
  .catch(undefined)

/** The state of a site, as the bundled service reports it. down: the web server of its own server does not answer for it. */
export const maybeSiteState = z.enum(['creating', 'ready', 'down', 'deleting', 'failed']).optional().catch(undefined)

/** What a backup of a site was made for. */
export const maybeBackupReason = z.enum(['manual', 'nightly', 'restore', 'push', 'delete']).optional().catch(undefined)

/** The apps that can be installed on a site. app: as in the path of the operation. */
export const maybeCatalogue = z
  .array(z.object({ app: z.string(), title: z.string(), version: z.string() }))
  .optional()
  .catch(undefined)

/**
 * Records of DNS that mail needs. state: ready, missing, or different from what is expected. expected: to be copied, empty if it is only
 * said what to do. found: what DNS says. reason: a sentence, empty for ready.
 */
export const maybeRecords = z
  .array(
    z.object({
      type: z.enum(['MX', 'SPF', 'DKIM', 'DMARC', 'PTR']),
      name: z.string(),
      expected: z.string(),
      found: z.string(),
      state: z.enum(['ready', 'missing', 'different']),
      reason: z.string(),
    }),
  )
  .optional()
  .catch(undefined)

/** The answer of operations that return nothing but success. */
export const done = z.object({})

/** `items` of an operation that created one object; services also answer with only `id` or `site_id`. */
export function createdItems(body: Readonly<Members>): Members {
  if (body.items !== undefined) return { ...body }
  const created = body.id ?? body.site_id ?? body.server_id
  return created === undefined ? { ...body } : { ...body, items: [{ id: created }] }
}
