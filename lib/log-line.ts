/** Encodes one log record as one line that cannot contain line ends or terminal controls, and has a maximum length. */

const maxLineLength = 16_384
const maxTextLength = 1_024

// JSON does not escape these, but terminals and viewers interpret them: C1 controls, direction marks, line separators.
const steering = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

const escapeUnits = (sign: string): string =>
  Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')

/** Encodes a JSON line with its newline. Truncates long texts inside, so that it stays valid JSON. */
export function encodeLogLine(line: string): string {
  const record = line.trimEnd()
  const bounded = record.length > maxLineLength ? shorten(record) : record
  const escaped = bounded.replace(steering, escapeUnits)
  return `${escaped.length > maxLineLength ? keepHead(bounded) : escaped}\n`
}

const cut = (text: string, maxLength: number): string => (text.length > maxLength ? `${text.slice(0, maxLength)}… (cut)` : text)

function shorten(record: string): string {
  const short = JSON.stringify(JSON.parse(record, (_name, value) => (typeof value === 'string' ? cut(value, maxTextLength) : value)))
  return short.length > maxLineLength ? keepHead(short) : short
}

/** Keeps only the beginning of a record that is still too long after its texts were truncated. */
function keepHead(record: string): string {
  const { level, time, msg } = JSON.parse(record)
  const head = { level, time, msg: cut(String(msg ?? ''), maxTextLength), cut: record.slice(0, maxTextLength) }
  return JSON.stringify(head).replace(steering, escapeUnits)
}
