/** What the host program says, in words: its events are codes with values, described by host/protocol.schema.json. */
import * as z from 'zod'

const count = z.number().int().nonnegative()
const reason = z.enum(['beside', 'kind', 'no-folder', 'leads-out', 'long-path', 'unreadable'])

export const hostEvent = z.discriminatedUnion('code', [
  z.strictObject({ code: z.literal('left-out'), reason, path: z.string() }),
  z.strictObject({ code: z.literal('more-left-out'), count }),
  z.strictObject({ code: z.literal('no-files'), path: z.string() }),
  z.strictObject({ code: z.literal('no-own-folder'), path: z.string() }),
  z.strictObject({ code: z.literal('former-there'), path: z.string() }),
  z.strictObject({ code: z.literal('home-writable') }),
  z.strictObject({ code: z.literal('journal-unreadable') }),
  z.strictObject({ code: z.literal('archive-written'), files: count, bytes: count }),
  z.strictObject({ code: z.literal('not-written') }),
  z.strictObject({ code: z.literal('disk-error') }),
  z.strictObject({ code: z.literal('bad-request'), error: z.string() }),
  z.strictObject({ code: z.literal('program-error'), error: z.string() }),
])

type HostEvent = z.infer<typeof hostEvent>

const why: Record<z.infer<typeof reason>, string> = {
  beside: 'it is in neither public nor private',
  kind: 'it is neither a file, a folder nor a link',
  'no-folder': 'it is no folder',
  'leads-out': 'it leads outside of the site',
  'long-path': 'its path is too long',
  unreadable: 'it cannot be read',
}

function sentenceOf(event: HostEvent): string {
  switch (event.code) {
    case 'left-out':
      return `Left out, because ${why[event.reason]}: ${event.path}`
    case 'more-left-out':
      return `Left out, and not named: ${event.count} more.`
    case 'no-files':
      return `${event.path} is missing, so the backup has no files.`
    case 'no-own-folder':
      return `${event.path} is no folder of the site.`
    case 'former-there':
      return `${event.path} is still there from earlier work.`
    case 'home-writable':
      return 'The folder of the site must belong to root, and nobody else may write there.'
    case 'journal-unreadable':
      return 'What the work has noted of its steps cannot be read.'
    case 'archive-written':
      return 'The archive is written.'
    case 'not-written':
      return 'The archive could not be written.'
    case 'disk-error':
      return 'Some files cannot be read.'
    case 'bad-request':
      return `Gatehouse’s program on the server refused its work: ${event.error}.`
    case 'program-error':
      return `Gatehouse’s program on the server failed: ${event.error}.`
  }
}

/** A text of a job, in which an event stands alone or last: bash names the last line of a step that failed. Other texts stay as they are. */
export function withSentence(text: string): string {
  const at = text.indexOf('{"code":"')
  if (at < 0) return text
  const event = hostEvent.safeParse(parseJson(text.slice(at)))
  return event.success ? text.slice(0, at) + sentenceOf(event.data) : text
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
