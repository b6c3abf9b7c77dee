/** Parses a file of settings by the rules of systemd's EnvironmentFile=. Nothing in it is expanded or run, and no error shows a part of a value. */

/**
 * @typedef {{ name: string, value: string, line: number }} Assignment line: where it begins, from 1
 * @typedef {{ line: number, message: string }} Fault
 */

const isSpace = (/** @type {string} */ char) => ' \t\n\r'.includes(char)
const isLineEnd = (/** @type {string} */ char) => char === '\n' || char === '\r'

/** What systemd does not take in a value: control characters of ASCII other than tab and newline. */
const control = /[^\P{Cc}\t\n\u0080-\u009f]/u

/** A backslash in double quotes stays before any other character. */
const escapable = '"\\`$'

/**
 * Comments begin a line with # or ;. A backslash at the end of a line continues a value, one before another character stands for that character; in double
 * quotes only before " \ ` and $, in single quotes never. Quotes are recognized where a value begins or after other quotes. Of several assignments to a name
 * the last counts.
 * @param {string} text
 * @returns {{ assignments: Assignment[], faults: Fault[] }} faults: what systemd ignores or takes differently from what was probably meant
 */
export function parseEnvironmentFile(text) {
  /** @type {Assignment[]} */
  const assignments = []
  /** @type {Fault[]} */
  const faults = []
  let place = 0
  let line = 1

  const next = () => {
    const char = text[place++] ?? ''
    // The two characters of a line end of Windows are one line.
    if (char === '\n' || (char === '\r' && text[place] !== '\n')) line++
    return char
  }
  const ended = () => place >= text.length
  const skipSpaces = () => {
    while (!ended() && isSpace(text[place] ?? '') && !isLineEnd(text[place] ?? '')) next()
  }

  const skipComment = () => {
    const began = line
    let escapes = false
    while (!ended()) {
      const char = next()
      if (isLineEnd(char)) break
      escapes = char === '\\' && !escapes
    }
    if (escapes)
      faults.push({ line: began, message: 'This comment ends with a backslash: systemd before version 254 ignores the next line.' })
  }

  /** Up to the closing quote, which it takes. @param {string} quote @param {number} began */
  const readQuoted = (quote, began) => {
    let value = ''
    while (!ended()) {
      const char = next()
      if (char === quote) return value
      if (char !== '\\' || quote === "'") {
        value += char
        continue
      }
      if (ended()) break
      const escaped = next()
      if (escapable.includes(escaped)) value += escaped
      else if (escaped !== '\n') value += `\\${escaped}`
    }
    faults.push({ line: began, message: `A value begins with ${quote === "'" ? 'a single' : 'a double'} quote that is never closed.` })
    return value
  }

  /** Up to the end of the line, which it takes; spaces at its end do not count, unless they are escaped. */
  const readPlain = () => {
    let value = ''
    let kept = 0
    while (!ended()) {
      const char = next()
      if (isLineEnd(char)) break
      if (char !== '\\') {
        value += char
        if (!isSpace(char)) kept = value.length
        continue
      }
      const escaped = ended() ? '' : next()
      if (!isLineEnd(escaped)) value += escaped
      kept = value.length
    }
    return value.slice(0, kept)
  }

  const readValue = () => {
    let value = ''
    while (true) {
      skipSpaces()
      if (ended()) return value
      const char = text[place] ?? ''
      if (isLineEnd(char)) {
        next()
        return value
      }
      if (char !== '"' && char !== "'") return value + readPlain()
      const began = line
      next()
      value += readQuoted(char, began)
    }
  }

  while (!ended()) {
    if (isSpace(text[place] ?? '')) {
      next()
      continue
    }
    const began = line
    if ('#;'.includes(text[place] ?? '')) {
      skipComment()
      continue
    }
    let name = ''
    while (!ended() && text[place] !== '=' && !isLineEnd(text[place] ?? '')) name += next()
    if (text[place] !== '=') {
      faults.push({ line: began, message: describeIgnored(name, 'it is neither NAME=VALUE nor a comment.') })
      continue
    }
    next()
    const value = readValue()
    const given = name.replace(/[ \t]+$/, '')
    const fault = findFault(given, value)
    if (fault === null) assignments.push({ name: given, value, line: began })
    else faults.push({ line: began, message: fault })
  }
  return { assignments, faults }
}

/** @param {string} name what stands before the first = of a line @param {string} value @returns {string | null} */
function findFault(name, value) {
  if (/^export\s+\w+$/.test(name)) return describeIgnored(name, 'leave out export, because no shell reads this file.')
  if (!/^[A-Za-z_]\w*$/.test(name)) return describeIgnored(name, 'what stands before = is not a name of letters, digits and underscores.')
  return control.test(value) ? `The value of ${name} is ignored: it contains a control character.` : null
}

/** @param {string} given how the line begins @param {string} why */
const describeIgnored = (given, why) =>
  given.startsWith('\ufeff')
    ? 'This line is ignored: the file begins with a byte order mark. Save it as UTF-8 without one.'
    : `This line is ignored: ${why}`
