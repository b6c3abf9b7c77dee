/** Calls server actions directly, both as the page's scripts do and in ways that no page does. */
import type { Answer, Caller, Sent } from './caller'

/** A form as one argument of an action: names and values in order, with repeated names. */
export class Form {
  readonly entries: readonly (readonly [string, string])[]
  constructor(entries: Readonly<Record<string, string>> | readonly (readonly [string, string])[]) {
    this.entries = Array.isArray(entries) ? entries : Object.entries(entries)
  }
}

export type ActionAddress = { id: string; page: string }

/** The answer: the action's return value if it has one, and the redirect. */
export type ActionAnswer = Answer & { value: unknown; leadsTo: string | null }

type Body = { body: Uint8Array; contentType: string }

/** React's wire format: the arguments as JSON under `0`, each form’s fields before them under its number. */
export function encodeArguments(args: readonly unknown[]): Promise<Body> {
  const parts = new FormData()
  const json = args.map((arg, index) => {
    if (!(arg instanceof Form)) return arg
    for (const [name, value] of arg.entries) parts.append(`_${index + 1}_${name}`, value)
    return `$K${(index + 1).toString(16)}`
  })
  parts.append('0', JSON.stringify(json))
  return encodeParts(parts)
}

/** A form sent by a browser without scripts. */
export function encodeBareForm(id: string, form: Form): Promise<Body> {
  const parts = new FormData()
  parts.append(`$ACTION_ID_${id}`, '')
  for (const [name, value] of form.entries) parts.append(name, value)
  return encodeParts(parts)
}

async function encodeParts(parts: FormData): Promise<Body> {
  const encoded = new Response(parts)
  return { body: new Uint8Array(await encoded.arrayBuffer()), contentType: encoded.headers.get('content-type') ?? '' }
}

/** Calls an action as a page of the portal would, unless `sent` says otherwise. */
export async function callAction(caller: Caller, action: ActionAddress, args: readonly unknown[], sent: Sent = {}): Promise<ActionAnswer> {
  const { body, contentType } = await encodeArguments(args)
  const headers = {
    origin: caller.origin,
    'next-action': action.id,
    'content-type': contentType,
    accept: 'text/x-component',
    ...sent.headers,
  }
  return readAnswer(await caller.call(action.page, { method: 'POST', body, ...sent, headers }))
}

export function readAnswer(answer: Answer): ActionAnswer {
  const leadsTo = answer.headers['x-action-redirect'] ?? answer.headers.location ?? null
  return { ...answer, value: readValue(answer.text), leadsTo: typeof leadsTo === 'string' ? leadsTo : null }
}

/** Rows of React's answer by their number: `1:JSON` to the end of the line, or `1:T5,` followed by that many bytes of text. */
function readRows(text: string): Map<string, string> {
  const rows = new Map<string, string>()
  let rest = Buffer.from(text)
  while (rest.length > 0) {
    const [head = '', id = '', size] = /^([0-9a-f]*):(?:T([0-9a-f]+),)?/.exec(rest.subarray(0, 40).toString('latin1')) ?? []
    const line = rest.indexOf('\n')
    const end = size === undefined ? (line < 0 ? rest.length : line) : head.length + Number.parseInt(size, 16)
    rows.set(id, rest.subarray(head.length, end).toString())
    rest = rest.subarray(size === undefined ? end + 1 : end)
  }
  return rows
}

/** The first row names the row that contains the action's return value. */
function readValue(text: string): unknown {
  const rows = readRows(text)
  const named = /"a":"\$@([0-9a-f]+)"/.exec(rows.get('0') ?? '')?.[1]
  try {
    return named === undefined ? null : JSON.parse(rows.get(named) ?? 'null')
  } catch {
    return null
  }
}

/** The problem's code, `ok` for a success, null for anything else. */
export function codeOf({ value }: ActionAnswer): string | null {
  if (typeof value !== 'object' || value === null || !('ok' in value)) return null
  if (value.ok === true) return 'ok'
  const { problem } = value as { problem?: { code?: unknown } }
  return typeof problem?.code === 'string' ? problem.code : null
}

const refusals = new Set(['signed_out', 'forbidden', 'not_found', 'invalid', 'too_many', 'address_refused', 'changed_meanwhile'])

/** Whether an action did nothing of what was asked: by a problem, or by an answer that is no result. */
export const isRefused = (answer: ActionAnswer): boolean => {
  const code = codeOf(answer)
  return code === null ? answer.status >= 400 : refusals.has(code)
}
