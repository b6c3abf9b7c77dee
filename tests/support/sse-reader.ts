/** Reads an answer of server-sent events as a browser would. */

export type SseEvent = { event: string; id: string | null; data: string }

export type SseReader = {
  /** Every event so far. */
  readonly events: readonly SseEvent[]
  readonly comments: number
  readonly closed: boolean
  /** Sequence numbers of the `line` events so far. */
  seqs(): number[]
  /** Settles when the stream ended. */
  done: Promise<void>
  leave(): Promise<void>
}

function parse(block: string): SseEvent | null {
  const members = new Map(
    block.split('\n').map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const event = members.get('event')
  return event === undefined ? null : { event, id: members.get('id') ?? null, data: members.get('data') ?? '' }
}

export function readSse(response: Response): SseReader {
  const events: SseEvent[] = []
  let [comments, closed, rest] = [0, false, '']
  const reader = (response.body ?? new ReadableStream()).getReader()
  const decoder = new TextDecoder()
  const read = async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        if (block.startsWith(':')) comments += 1
        const event = parse(block)
        if (event) events.push(event)
      }
    }
    closed = true
  }
  return {
    events,
    get comments() {
      return comments
    },
    get closed() {
      return closed
    },
    seqs: () => events.filter(({ event }) => event === 'line').map(({ id }) => Number(id)),
    done: read(),
    leave: () => reader.cancel(),
  }
}
