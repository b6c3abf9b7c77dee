/** Browsers that watch installs: each connects again after the last line that it has whenever its stream ends. */
import { setTimeout as delay } from 'node:timers/promises'
import { begin } from './ask'

/** The numbers of the lines of one install, in the order in which one browser got them. */
export type Seen = { jobId: string; numbers: number[] }

const afterLine = (numbers: readonly number[]): Record<string, string> =>
  numbers.length === 0 ? {} : { 'last-event-id': String(numbers.at(-1)) }

/** One stream, to its end. True if it was also the end of the install. patienceMs: after so much silence somebody reloads the page. */
function readStream(
  port: number,
  sessionId: string,
  { jobId, numbers }: Seen,
  patienceMs: number,
  isOver: () => boolean,
): Promise<boolean> {
  return new Promise((resolve) => {
    let [text, ended, isEnd, wanted] = ['', false, false, 0]
    const close = () => resolve(ended)
    const asking = begin(
      { port, path: `/api/jobs/${jobId}/events`, sessionId, headers: afterLine(numbers) },
      (answer) => {
        if (answer.statusCode !== 200) asking.destroy()
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          const events = `${text}${chunk}`.split('\n\n')
          text = events.pop() ?? ''
          for (const event of events) {
            if (event.startsWith('event: reset')) numbers.length = 0
            const line = /^id: (\d+)\nevent: line\n/.exec(event)?.[1]
            if (line !== undefined) numbers.push(Number(line))
            // A stream that begins after the end says so before the lines that are missing.
            const count = /^event: state\n.*"eventCount":(\d+)/.exec(event)?.[1]
            if (count !== undefined) isEnd = !event.includes('"endedAt":null')
            if (count !== undefined) wanted = Number(count)
            ended = isEnd && numbers.length >= wanted
          }
          if (isOver()) asking.destroy()
        })
        answer.once('close', close)
      },
      close,
    )
    asking.setTimeout(patienceMs, () => asking.destroy())
  })
}

/** Watches one install after the other until `isOver`. next: the one to watch, or undefined while there is none. */
export async function watchInstalls(port: number, sessionId: string, next: () => string | undefined, isOver: () => boolean, all: Seen[]) {
  // Half of them reload, the others wait.
  const patienceMs = Math.random() < 0.5 ? 8_000 : 60_000
  const had = new Set<string>()
  while (!isOver()) {
    const jobId = next()
    if (jobId === undefined || had.has(jobId)) {
      await delay(200)
      continue
    }
    had.add(jobId)
    const seen: Seen = { jobId, numbers: [] }
    while (!(await readStream(port, sessionId, seen, patienceMs, isOver)) && !isOver()) await delay(200 + Math.random() * 400)
    // What is cut off by the end of the test says nothing.
    if (!isOver()) all.push(seen)
  }
}
