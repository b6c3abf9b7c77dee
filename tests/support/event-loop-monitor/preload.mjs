/**
 * Measures the event loop of the process it is preloaded into (`node --import preload.mjs?dir=DIR`). Listens on DIR/NAME.sock,
 * NAME being the file name of the program. Each connection is answered with one JSON line (Period in monitor.ts), which
 * also starts the next period.
 */
import { readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { isMainThread } from 'node:worker_threads'

const tickMs = 5

/** Milliseconds this thread was ready to run while the kernel ran others, and milliseconds it ran. */
function readSchedule() {
  const [ranNs = 0, waitedNs = 0] = readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ').map(Number)
  return { ranMs: ranNs / 1e6, waitedMs: waitedNs / 1e6 }
}

/** @type {{ delaysMs: number[], stallsMs: number[], runsMs: number[] }} */
let period = { delaysMs: [], stallsMs: [], runsMs: [] }
/** @type {(() => void)[]} */
let atNextTick = []
let last = { at: performance.now(), ...readSchedule() }

function tick() {
  const now = { at: performance.now(), ...readSchedule() }
  const delayMs = Math.max(0, now.at - last.at - tickMs)
  period.delaysMs.push(delayMs)
  // A busy neighbour takes the processor away: that part of the delay is not the program's.
  period.stallsMs.push(Math.max(0, delayMs - (now.waitedMs - last.waitedMs)))
  period.runsMs.push(now.ranMs - last.ranMs)
  last = now
  const waiting = atNextTick
  atNextTick = []
  for (const answer of waiting) answer()
}

function closePeriod() {
  const { delaysMs, stallsMs, runsMs } = period
  period = { delaysMs: [], stallsMs: [], runsMs: [] }
  const sorted = stallsMs.sort((a, b) => a - b)
  return {
    ticks: sorted.length,
    ranMs: runsMs.reduce((sum, ms) => sum + ms, 0),
    longestRunMs: longestOf(runsMs),
    longestDelayMs: longestOf(delaysMs),
    longestStallMs: sorted.at(-1) ?? 0,
    p99StallMs: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0,
    rssMb: process.memoryUsage.rss() / 1_048_576,
  }
}

/** @param {number[]} times */
const longestOf = (times) => times.reduce((longest, ms) => Math.max(longest, ms), 0)

const dir = new URL(import.meta.url).searchParams.get('dir')
const program = process.argv[1]
if (dir && program && isMainThread) {
  const place = join(dir, `${basename(program)}.sock`)
  rmSync(place, { force: true })
  const server = createServer((socket) => {
    socket.on('error', () => {})
    // A stall that is under way belongs to the period that ends, and is known at the next tick.
    atNextTick.push(() => socket.end(`${JSON.stringify(closePeriod())}\n`))
  })
  server.listen(place).unref()
  setInterval(tick, tickMs).unref()
}
