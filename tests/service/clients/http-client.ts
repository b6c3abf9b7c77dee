/** A client of the interface written by hand, in any of the ways in which clients encode a body. */
import { law } from '../../contract/law'
import type { Target } from '../support/caller'
import type { Fields, FieldValue, InterfaceClient, Members } from './walk'

export type Body = { body: string | URLSearchParams | FormData; contentType?: string }

export type Dialect = { title: string; encode(fields: Fields): Body }

const isList = (value: FieldValue): value is readonly string[] => typeof value === 'object'

type Writing = { flag: (flag: boolean) => string; list: (name: string, items: readonly string[]) => [string, string][] }

const pairsOf = (fields: Fields, { flag, list }: Writing): [string, string][] =>
  Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    if (isList(value)) return list(name, value)
    return [[name, typeof value === 'boolean' ? flag(value) : value]]
  })

const inForm = (writing: Writing) => (fields: Fields) => ({ body: new URLSearchParams(pairsOf(fields, writing)) })

const inMultipart = (writing: Writing) => (fields: Fields) => {
  const body = new FormData()
  for (const [name, value] of pairsOf(fields, writing)) body.append(name, value)
  return { body }
}

const inJson = (write: (name: string, value: FieldValue) => Record<string, unknown>) => (fields: Fields) => ({
  body: JSON.stringify(Object.assign({}, ...Object.entries(fields).map(([name, value]) => write(name, value)))),
  contentType: 'application/json',
})

const digit = (flag: boolean) => (flag ? '1' : '0')
const python = (flag: boolean) => (flag ? 'True' : 'False')
const brackets = (name: string, items: readonly string[]) => items.map((item): [string, string] => [`${name}[]`, item])
const repeated = (name: string, items: readonly string[]) => items.map((item): [string, string] => [name, item])

/** `tables[]=` alone, as the portal sends it. */
function orEmpty(list: Writing['list']): Writing['list'] {
  return (name, items) => list(name, items.length === 0 ? [''] : items)
}

function numbered(name: string, items: readonly string[]): [string, string][] {
  return items.map((item, index) => [`${name}[${index}]`, item])
}

const isEmpty = (value: FieldValue): boolean => typeof value !== 'boolean' && value.length === 0
const mayBeAbsent = new Set(['region', 'type', 'tables'])

/** As the OpenAPI document describes bodies. */
export const documented: readonly Dialect[] = [
  { title: 'a form with brackets', encode: inForm({ flag: digit, list: brackets }) },
  { title: 'multipart with brackets', encode: inMultipart({ flag: digit, list: brackets }) },
  { title: 'JSON, with integers for status', encode: inJson((name, value) => ({ [name]: name === 'status' ? Number(value) : value })) },
]

/** Each is how the encoder of some widely used language or library writes the fields. */
export const dialects: readonly Dialect[] = [
  ...documented,
  {
    title: 'a form as the samples: brackets, an empty list as one empty item, 1 and 0',
    encode: inForm({ flag: digit, list: orEmpty(brackets) }),
  },
  { title: 'a form of Python: repeated names, no empty list, True and False', encode: inForm({ flag: python, list: repeated }) },
  { title: 'a form of PHP: numbered brackets, no empty list', encode: inForm({ flag: digit, list: numbered }) },
  { title: 'a form with lists as a,b, true and false', encode: inForm({ flag: String, list: (name, items) => [[name, items.join(',')]] }) },
  { title: 'a form with lists as JSON text', encode: inForm({ flag: String, list: (name, items) => [[name, JSON.stringify(items)]] }) },
  { title: 'multipart of Python: repeated names, True and False', encode: inMultipart({ flag: python, list: repeated }) },
  { title: 'JSON with its own kinds', encode: inJson((name, value) => ({ [name]: value })) },
  {
    title: 'JSON with the names of the form, and texts alone',
    encode: inJson((name, value) =>
      isList(value) ? { [`${name}[]`]: value } : { [name]: typeof value === 'boolean' ? digit(value) : value },
    ),
  },
  {
    title: 'JSON of a client that leaves out what is empty',
    encode: inJson((name, value) => (isEmpty(value) && mayBeAbsent.has(name) ? {} : { [name]: value })),
  },
]

/** Sends what the interface lists, to the paths that it lists. */
export function createHttpClient({ baseUrl, key }: Target, { encode }: Dialect): InterfaceClient {
  return async (id, ids, fields = {}) => {
    const [, method, path] = law.find(([known]) => known === id) ?? []
    if (method === undefined || path === undefined) throw new Error(`The interface has no ${id}.`)
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? ''))
    const { body, contentType } = method === 'POST' ? encode(fields) : { body: null, contentType: undefined }
    const headers = { authorization: `Bearer ${key}`, ...(contentType && { 'content-type': contentType }) }
    return readAnswer(id, await fetch(`${baseUrl}${address}`, { method, headers, body }))
  }
}

async function readAnswer(id: string, response: Response): Promise<Members | string> {
  const text = await response.text()
  if (response.ok && response.headers.get('content-type')?.startsWith('text/event-stream')) return text
  const answer = JSON.parse(text) as Members
  if (!response.ok || answer.success !== true) throw new Error(`${id} was answered with ${response.status}: ${text}`)
  return answer
}
