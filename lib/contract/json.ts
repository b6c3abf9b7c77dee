/** Reads JSON from strangers: bounded in depth, and refused where two readers could understand it differently. */

/** The text is not JSON, too deep, repeats a name within an object, or uses the name __proto__. */
export class JsonRefused extends Error {}

const quote = 34
const backslash = 92

/** The index of the quote that ends the string begun at `start`; the text's length when there is none. */
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
  if (name === '__proto__' || names?.has(name)) throw new JsonRefused('A name is repeated or not acceptable.')
  names?.add(name)
}

/** Walks the text once without building anything. Names are the strings that a colon follows. */
function inspect(text: string, maxDepth: number): void {
  const open: (Set<string> | null)[] = []
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (character === '"') {
      const end = endOfString(text, index)
      if (isName(text, end + 1)) takeName(open.at(-1), text.slice(index, end + 1))
      index = end
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : null)
      if (open.length > maxDepth) throw new JsonRefused('The JSON is nested too deeply.')
    } else if (character === '}' || character === ']') {
      open.pop()
    }
  }
}

/**
 * Parses JSON text, with or without a byte order mark.
 * @param maxDepth how many objects and arrays may stand within one another
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

/** An object as JSON knows it: not null, not an array. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
