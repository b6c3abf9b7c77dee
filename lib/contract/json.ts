/** Parses untrusted JSON: limits its depth, and refuses text that two parsers could read differently. */

/** The text is not JSON, too deep, too complex, repeats a name within an object, or uses the name __proto__. */
export class JsonRefused extends Error {}

const quote = 34
const backslash = 92

/** The index of the quote that ends the string begun at `start`; the text's length if there is none. */
function endOfString(text: string, start: number): number {
  let index = start + 1
  while (index < text.length) {
    const code = text.charCodeAt(index)
    if (code === quote) return index
    index += code === backslash ? 2 : 1
  }
  return text.length
}

function isName(text: string, after: number): boolean {
  let index = after
  while (index < text.length && text.charCodeAt(index) <= 32) index += 1
  return text[index] === ':'
}

function takeName(names: Set<string> | null | undefined, literal: string): void {
  const name = literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1)
  if (name === '__proto__' || names?.has(name)) throw new JsonRefused('A name is duplicate or not allowed.')
  names?.add(name)
  if (names && names.size > maxNames) throw new JsonRefused('The JSON has too many names in one object.')
}

/** A list directly in the outermost object: where its text begins and ends, the number of its elements, and where the first ones end. */
export type ListSpan = { name: string; start: number; end: number; count: number; elementEnds: number[] }

const sliceLength = 65_536

// Whatever is parsed in one piece blocks the process: an element of a list of the outermost object, or everything outside these lists.
const maxNames = 50_000
const maxOpened = 60_000
const maxCommas = 1_000_000

/**
 * Scans the text once without building anything, and pauses after about each 64 KB. Names are the strings before a colon. Returns the
 * lists of the outermost object, with the positions of at most `maxElements` elements each.
 */
export function* inspectJson(text: string, maxDepth: number, maxElements = 0): Generator<void, ListSpan[]> {
  const open: (Set<string> | null)[] = []
  const lists: ListSpan[] = []
  let [name, list, pauseAt]: [string, ListSpan | null, number] = ['', null, sliceLength]
  let piece = { opened: 0, commas: 0 }
  const endElement = (at: number) => {
    if (!list) return
    piece = { opened: 0, commas: 0 }
    list.count += 1
    if (list.count <= maxElements) list.elementEnds.push(at)
  }
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (character === '"') {
      const end = endOfString(text, index)
      if (isName(text, end + 1)) {
        const literal = text.slice(index, end + 1)
        takeName(open.at(-1), literal)
        if (open.length === 1) name = literal
      }
      index = end
    } else if (character === '{' || character === '[') {
      if (character === '[' && open.length === 1) list = { name, start: index, end: text.length, count: 0, elementEnds: [] }
      open.push(character === '{' ? new Set() : null)
      if (open.length > maxDepth) throw new JsonRefused('The JSON is nested too deeply.')
      piece.opened += 1
      if (piece.opened > maxOpened) throw new JsonRefused('The JSON is too complex.')
    } else if (character === '}' || character === ']') {
      if (open.length === 2 && list) {
        if (text.slice(list.start + 1, index).trimStart() !== '') endElement(index)
        lists.push(Object.assign(list, { end: index + 1 }))
        list = null
      }
      open.pop()
    } else if (character === ',') {
      piece.commas += 1
      if (piece.commas > maxCommas) throw new JsonRefused('The JSON is too complex.')
      if (open.length === 2) endElement(index)
    }
    if (index >= pauseAt) {
      pauseAt = index + sliceLength
      yield
    }
  }
  return lists
}

function inspect(text: string, maxDepth: number): void {
  const steps = inspectJson(text, maxDepth)
  while (!steps.next().done);
}

/**
 * Parses JSON text, with or without a byte order mark.
 * @param maxDepth how deeply objects and arrays may be nested
 * @throws JsonRefused
 */
export function parseJson(text: string, maxDepth = 32): unknown {
  const bare = text.startsWith('\uFEFF') ? text.slice(1) : text
  try {
    inspect(bare, maxDepth)
    return JSON.parse(bare)
  } catch (error) {
    throw error instanceof JsonRefused ? error : new JsonRefused('The text is not JSON.', { cause: error })
  }
}

const warning = /^[<\p{L}]/u
const page = /<!doctype|<html/i

/** The only JSON object in a body in which a service printed warnings before or after it; any other body unchanged. */
export function withoutWarnings(body: string): string {
  const text = body.trim()
  const start = text.search(/\{\s*["}]/)
  const end = text.lastIndexOf('}') + 1
  if (start < 0 || end <= start) return body
  const around = [text.slice(0, start), text.slice(end).trimStart()]
  const areWarnings = around.every((part) => part === '' || (warning.test(part) && !page.test(part)))
  return areWarnings ? text.slice(start, end) : body
}

/** A JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
