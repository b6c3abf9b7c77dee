/** Reads multipart/form-data of plain fields. Every value is text here, so the whole body can be read as text. */

const boundaryOf = (contentType: string): string | null => {
  const found = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType)
  return found?.[1] ?? found?.[2] ?? null
}

/** The field's name, from `Content-Disposition: form-data; name="…"`. Null when there is none, or the part is a file. */
function nameOf(head: string): string | null {
  const disposition = head.split('\r\n').find((line) => /^content-disposition:\s*form-data\b/i.test(line))
  if (disposition === undefined || /;\s*filename\*?=/i.test(disposition)) return null
  const name = /;\s*name="([^"]*)"/i.exec(disposition)?.[1]
  return name === undefined ? null : name.replaceAll('%22', '"').replaceAll('%0D%0A', '\r\n')
}

function readPart(part: string): [string, string] | null {
  const headEnd = part.indexOf('\r\n\r\n')
  if (headEnd < 0 || !part.startsWith('\r\n') || !part.endsWith('\r\n')) return null
  const name = nameOf(part.slice(2, headEnd))
  return name === null ? null : [name, part.slice(headEnd + 4, -2)]
}

/**
 * @param contentType the header with its boundary
 * @param body the whole body, decoded as UTF-8
 * @returns name and value pairs in order; null when the body is broken or holds a file
 */
export function readMultipart(contentType: string, body: string): [string, string][] | null {
  const boundary = boundaryOf(contentType)
  if (boundary === null || !body.startsWith(`--${boundary}`)) return null
  const pieces = `\r\n${body}`.split(`\r\n--${boundary}`)
  const end = pieces.pop()
  if (end === undefined || !/^--(\r\n|$)/.test(end)) return null
  const parts: [string, string][] = []
  for (const piece of pieces.slice(1)) {
    const part = readPart(`${piece}\r\n`)
    if (part === null) return null
    parts.push(part)
  }
  return parts
}
