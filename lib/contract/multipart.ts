/** Reads multipart bodies (RFC 7578) of texts. What could be read in two ways is refused: versions of Node read one body differently. */

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const parameter = new RegExp(`[ \\t]*;[ \\t]*(${token})=(?:"([^"\\\\\\0\\r\\n]*)"|(${token}))[ \\t]*`, 'y')
const headerLine = new RegExp(`^(${token}):[ \\t]*([^\\0\\r\\n]*)$`)
const maxBoundaryLength = 70

/** What a header's value says after its first word, by name in lower case; null if it is malformed or says something twice. */
function readParameters(value: string): ReadonlyMap<string, string> | null {
  const parameters = new Map<string, string>()
  const first = value.indexOf(';')
  parameter.lastIndex = first < 0 ? value.length : first
  while (parameter.lastIndex < value.length) {
    const found = parameter.exec(value)
    const name = found?.[1]?.toLowerCase()
    if (!found || name === undefined || parameters.has(name)) return null
    parameters.set(name, found[2] ?? found[3] ?? '')
  }
  return parameters
}

/** The headers of a part by name in lower case; null if one is malformed or there twice. */
function readHeaders(text: string): ReadonlyMap<string, string> | null {
  const headers = new Map<string, string>()
  for (const line of text.split('\r\n')) {
    const [, name, value = ''] = headerLine.exec(line) ?? []
    if (name === undefined || headers.has(name.toLowerCase())) return null
    headers.set(name.toLowerCase(), value)
  }
  return headers
}

const firstWord = (value: string): string => (value.split(';', 1)[0] ?? '').trim().toLowerCase()

/** Quotes and line breaks in a name are sent as %22, %0D and %0A. */
const decodeName = (name: string): string =>
  name.replace(/%(22|0d|0a)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** The name of a part; null for a file, for text that is encoded or not in UTF-8, and for headers that leave a doubt. */
function readName(headers: ReadonlyMap<string, string>): string | null {
  const disposition = headers.get('content-disposition') ?? ''
  const parameters = readParameters(disposition)
  const name = parameters?.get('name')
  const isFile = parameters?.has('filename') || parameters?.has('filename*')
  if (firstWord(disposition) !== 'form-data' || name === undefined || isFile) return null
  const charset = readParameters(headers.get('content-type') ?? '')?.get('charset') ?? 'utf-8'
  const encoding = firstWord(headers.get('content-transfer-encoding') ?? 'binary')
  const isText = /^(utf-?8|us-ascii)$/i.test(charset) && ['binary', '8bit', '7bit'].includes(encoding)
  return isText ? decodeName(name) : null
}

/** @param part from after its boundary to before the next one */
function readPart(part: string): [name: string, value: string] | null {
  const end = part.indexOf('\r\n\r\n')
  if (!part.startsWith('\r\n') || end < 2) return null
  const headers = readHeaders(part.slice(2, end))
  const name = headers && readName(headers)
  return name === null ? null : [name, part.slice(end + 4)]
}

/**
 * The fields of a body in order; null if it cannot be read for certain.
 * @param contentType the request's header, which names the boundary
 */
export function readMultipart(contentType: string, text: string): [name: string, value: string][] | null {
  const boundary = readParameters(contentType)?.get('boundary') ?? ''
  if (boundary === '' || boundary.length > maxBoundaryLength) return null
  const [before, ...parts] = `\r\n${text}`.split(`\r\n--${boundary}`)
  const last = parts.pop()
  if ((before !== '' && before !== '\r\n') || (last !== '--' && last !== '--\r\n')) return null
  const fields: [string, string][] = []
  for (const part of parts) {
    const field = readPart(part)
    if (field === null) return null
    fields.push(field)
  }
  return fields
}
