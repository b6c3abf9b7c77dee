/** Limits how deeply a JSON text is nested, without parsing it. */
import 'server-only'

/** Far above any answer of the interface (which needs 4), far below the limits of parsers and recursive checks. */
const maxDepth = 64

const sliceLength = 262_144

/**
 * Whether brackets and braces outside strings nest deeper than `maxDepth`. The text need not be valid JSON. Awaits `turn` between
 * pieces.
 */
export async function isTooDeep(text: string, turn: () => Promise<void>): Promise<boolean> {
  let depth = 0
  let inString = false
  let pauseAt = sliceLength
  for (let at = 0; at < text.length; at += 1) {
    if (at >= pauseAt) {
      pauseAt = at + sliceLength
      await turn()
    }
    const char = text[at]
    if (char === '\\' && inString) at += 1
    else if (char === '"') inString = !inString
    else if (inString) continue
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') depth -= 1
    if (depth > maxDepth) return true
  }
  return false
}
