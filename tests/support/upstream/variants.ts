/** Valid answers in the dialects of real services. */

const names = [
  // JSON answers
  'bare-item', // item: {…} instead of [{…}]
  'bare-objects', // a list of one is the object itself
  'objects-by-number', // lists are {"0": {…}, "2": {…}}
  'object-when-empty', // empty lists are {}
  'null-when-empty', // empty lists are null
  'numbers', // strings of digits are numbers
  'nulls', // empty strings are null
  'absent-when-empty', // empty strings are left out
  'no-parts', // `server` is null, and `dns` left out
  'flags-as-numbers', // 1 and 0
  'flags-as-digits', // "1" and "0"
  'flags-as-words', // "true" and "false"
  'bare-id', // create answers {success, id}
  'site-id', // create answers {success, site_id}
  'log-in-log', // the content of a log under `log`
  'log-in-data', // under `data`
  'log-as-lines', // under `lines`, as an array
  'no-log-names', // without `logs`
  'unknown-members',
  'wrapped', // the members are one object deeper, under `data`
  'relative-link', // the link of an archive without its origin
  'html-type', // JSON said to be text/html
  'byte-order-mark',
  'php-warning', // JSON behind a warning of PHP
  // JSON of failures, whose reason is
  'error-as-message', // in `message`
  'error-as-list', // in `errors`, as an array
  'error-in-object', // in `error.message`
  // The install stream
  'no-blank-lines',
  'many-data-lines', // JSON over several data lines
  'crlf',
  'cr',
  'comments',
  'msg', // msg for message
  'text-lines', // data that is no JSON
  'bare-data', // no id: lines
  'progress', // progress without extensions
  'stream-as-html',
  'stream-as-json',
  'stream-as-bytes',
  'stream-as-nothing', // without a content type
] as const

export const phpWarning = '<br />\n<b>Warning</b>:  Undefined array key "dns" in <b>/var/www/api.php</b> on line <b>5</b><br />\n'

const streamTypes: Partial<Record<Variant, string | null>> = {
  'stream-as-html': 'text/html; charset=UTF-8',
  'stream-as-json': 'application/json',
  'stream-as-bytes': 'application/octet-stream',
  'stream-as-nothing': null,
}

/** The content type of an install stream; null for none. */
export function streamType(asked: ReadonlySet<Variant>): string | null {
  const named = [...asked].find((variant) => variant in streamTypes)
  return named === undefined ? 'text/event-stream' : (streamTypes[named] ?? null)
}

export type Variant = (typeof names)[number]

export const variants: readonly Variant[] = names

export const isVariant = (name: string): name is Variant => (names as readonly string[]).includes(name)

type Change = (value: unknown, name: string) => unknown

/** Walks an answer from its leaves, `success` and the roots left alone. */
function mapValues(value: unknown, name: string, change: Change): unknown {
  if (Array.isArray(value)) {
    return change(
      value.map((item) => mapValues(item, name, change)),
      name,
    )
  }
  if (typeof value !== 'object' || value === null) return change(value, name)
  const entries = Object.entries(value).map(([key, member]) => [key, key === 'success' ? member : mapValues(member, key, change)])
  return change(Object.fromEntries(entries), name)
}

const isPart = (value: unknown): boolean => typeof value === 'object' && !Array.isArray(value)

const listNames = new Set(['items', 'cronjobs', 'users', 'rules', 'messages', 'aliases', 'emails', 'tables'])

const changes: Partial<Record<Variant, Change>> = {
  'bare-item': (value, name) => (name === 'item' && Array.isArray(value) ? value[0] : value),
  'bare-objects': (value, name) =>
    listNames.has(name) && Array.isArray(value) && value.length === 1 && typeof value[0] === 'object' ? value[0] : value,
  'objects-by-number': (value, name) =>
    listNames.has(name) && Array.isArray(value) && value.length > 0
      ? Object.fromEntries(value.map((item, index) => [String(index * 2), item]))
      : value,
  'object-when-empty': (value, name) => (listNames.has(name) && Array.isArray(value) && value.length === 0 ? {} : value),
  'null-when-empty': (value) => (Array.isArray(value) && value.length === 0 ? null : value),
  numbers: (value) => (typeof value === 'string' && /^(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value),
  nulls: (value) => (value === '' ? null : value),
  'absent-when-empty': (value) => (value === '' ? undefined : value),
  'no-parts': (value, name) =>
    name === 'dns' && typeof value === 'object' ? undefined : name === 'server' && isPart(value) ? null : value,
  'relative-link': (value, name) => (name === 'download_url' ? new URL(String(value)).pathname : value),
  'flags-as-numbers': (value) => (typeof value === 'boolean' ? Number(value) : value),
  'flags-as-digits': (value) => (typeof value === 'boolean' ? String(Number(value)) : value),
  'flags-as-words': (value) => (typeof value === 'boolean' ? String(value) : value),
}

type Body = Record<string, unknown>

const createdId = (body: Body): unknown => body.id ?? (Array.isArray(body.items) && body.items.length === 1 ? body.items[0]?.id : undefined)

const renamed = (body: Body, name: string, content: unknown): Body => {
  const { content: _, ...rest } = body
  return 'content' in body ? { ...rest, [name]: content } : body
}

/** Only a create answers one item with an id and nothing else. */
const isCreated = (body: Body): boolean => {
  const first: unknown = Array.isArray(body.items) ? body.items[0] : undefined
  return typeof first === 'object' && first !== null && Object.keys(first).join() === 'id'
}

const rearrangements: Partial<Record<Variant, (body: Body) => Body>> = {
  'bare-id': (body) => (isCreated(body) ? { success: true, id: createdId(body) } : body),
  'site-id': (body) => (typeof body.id === 'string' ? { success: true, site_id: body.id } : body),
  'log-in-log': (body) => renamed(body, 'log', body.content),
  'log-in-data': (body) => renamed(body, 'data', body.content),
  'log-as-lines': (body) => renamed(body, 'lines', String(body.content).split('\n')),
  'no-log-names': ({ logs: _, ...rest }) => rest,
  wrapped: ({ success, ...members }) => ({ success, data: members }),
  'unknown-members': (body) => ({ ...body, took_ms: 12, debug: { trace: [1, 2] }, constructor: 'x' }),
}

/** Rewrites an answer of the spec in the requested dialect. */
export function applyVariants(body: Body, asked: ReadonlySet<Variant>): Body {
  let written = body
  for (const variant of asked) {
    written = rearrangements[variant]?.(written) ?? written
    const change = changes[variant]
    if (change) written = mapValues(written, '', change) as Body
  }
  return written
}

const failures: Partial<Record<Variant, (error: unknown) => Body>> = {
  'error-as-message': (message) => ({ message }),
  'error-as-list': (error) => ({ errors: [error] }),
  'error-in-object': (message) => ({ error: { message } }),
}

/** Rewrites the reason of a failure, which then has no code either. */
export function applyFailureVariants(body: Body, asked: ReadonlySet<Variant>): Body {
  const write = [...asked].flatMap((variant) => failures[variant] ?? []).at(-1)
  return write ? { success: false, ...write(body.error) } : body
}

export type StreamEvent = { id: number; message: string; [extra: string]: unknown }

function writeData(event: StreamEvent, asked: ReadonlySet<Variant>): string[] {
  if (asked.has('text-lines')) return [event.message]
  const { message, ...rest } = event
  const body = asked.has('msg') ? { msg: message, ...rest } : { message, ...rest }
  return JSON.stringify(body, null, asked.has('many-data-lines') ? 1 : undefined).split('\n')
}

/** Writes one event of the install stream. */
export function writeStreamEvent(event: StreamEvent, asked: ReadonlySet<Variant>): string {
  const lines = [
    ...(asked.has('comments') ? [': still here', 'event: line', 'retry: 100'] : []),
    ...(asked.has('bare-data') ? [] : [`id: ${event.id}`]),
    ...writeData(event, asked).map((data) => `data: ${data}`),
    ...(asked.has('no-blank-lines') ? [] : ['']),
  ]
  const lineEnd = asked.has('crlf') ? '\r\n' : asked.has('cr') ? '\r' : '\n'
  return lines.map((line) => line + lineEnd).join('')
}
