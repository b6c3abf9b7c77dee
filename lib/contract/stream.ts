/** Streams of id: and data: lines: a tolerant reader for any service's, and a strict writer for the bundled service's. */
import { parseEventData } from '@/lib/contract/event-data'
import type { ProgressEvent } from '@/lib/contract/events'
import { createUtf8Reader } from '@/lib/contract/utf8'

/** Longer lines, and events with more data, are truncated. In characters. */
const maxLineLength = 65_536

/** After this many data lines, an event is parsed only at its end. */
const maxLinesTried = 100

export type StreamReader = {
  /** Accepts bytes in pieces of any size and returns the events that they complete. */
  push(chunk: Uint8Array): ProgressEvent[]
  /** Call this at the end; returns an incomplete event. */
  end(): ProgressEvent[]
}

/** Splits text into lines at LF, CR or CRLF, wherever the pieces are split. */
function createLineCutter(takeLine: (line: string) => void) {
  let line = ''
  let afterCarriageReturn = false
  const append = (text: string) => {
    if (line.length < maxLineLength) line += text.slice(0, maxLineLength - line.length)
  }
  const finish = () => {
    const whole = line
    line = ''
    takeLine(whole)
  }
  return {
    take(text: string): void {
      let start = afterCarriageReturn && text.startsWith('\n') ? 1 : 0
      if (text !== '') afterCarriageReturn = text.endsWith('\r')
      for (let index = start; index < text.length; index += 1) {
        const character = text[index]
        if (character !== '\n' && character !== '\r') continue
        append(text.slice(start, index))
        finish()
        if (character === '\r' && text[index + 1] === '\n') index += 1
        start = index + 1
      }
      append(text.slice(start))
    },
    end(): void {
      if (line !== '') finish()
    },
  }
}

/** Collects lines into events. An event ends at a blank line, at an id: after its data, or when its data is a complete object. */
function createEventGatherer(takeEvent: (event: ProgressEvent) => void) {
  let id: number | null = null
  let data: string | null = null
  let dataLines = 0
  const finish = () => {
    if (data !== null) takeEvent(parseEventData(data, id).event)
    data = null
    dataLines = 0
    id = null
  }
  const takeId = (value: string) => {
    if (data !== null) finish()
    id = /^\d{1,15}$/.test(value) ? Number(value) : null
  }
  const takeData = (value: string) => {
    if (data === null) data = value
    else if (data.length < maxLineLength) data = `${data}\n${value}`.slice(0, maxLineLength)
    dataLines += 1
    const perhapsWhole = value.trimEnd().endsWith('}') && dataLines <= maxLinesTried
    if (perhapsWhole && parseEventData(data, id).whole) finish()
  }
  return {
    takeLine(line: string): void {
      if (line.trim() === '') {
        finish()
        return
      }
      const colon = line.indexOf(':')
      const value = line.slice(colon + 1).replace(/^ /, '')
      const name = line.slice(0, Math.max(colon, 0))
      if (name === 'id') takeId(value.trim())
      else if (name === 'data') takeData(value)
    },
    end: finish,
  }
}

/**
 * Reads a stream of events. Tolerates missing blank lines, CR, LF and CRLF, a byte order mark, comments, unknown fields,
 * JSON over several data lines, and pieces that end within a character. Data that is not a JSON object becomes the message.
 */
export function createStreamReader(): StreamReader {
  const text = createUtf8Reader()
  let events: ProgressEvent[] = []
  const gatherer = createEventGatherer((event) => events.push(event))
  const cutter = createLineCutter(gatherer.takeLine)
  const takeEvents = () => {
    const taken = events
    events = []
    return taken
  }
  return {
    push(chunk) {
      cutter.take(text.push(chunk))
      return takeEvents()
    },
    end() {
      cutter.take(text.end())
      cutter.end()
      gatherer.end()
      return takeEvents()
    },
  }
}

/** Writes one event: `id:` if it has one, one `data:` line, a blank line. */
export function writeEvent(event: ProgressEvent): string {
  const { id, message, ...rest } = event
  const data = JSON.stringify({ message, ...(id !== null && { id }), ...rest })
  return `${id === null ? '' : `id: ${id}\n`}data: ${data}\n\n`
}
