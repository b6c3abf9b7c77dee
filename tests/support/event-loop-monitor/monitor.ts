/** How long the event loops of started processes stand still: measured inside those processes, read from the test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** What one process measured between two readings. */
export type Period = {
  ticks: number
  /** Processor time of the thread that runs the event loop. */
  ranMs: number
  /** The most processor time between two turns of the event loop. Waiting does not count, whoever is waited for. */
  longestRunMs: number
  /** The longest time a due timer waited, whatever the reason. */
  longestDelayMs: number
  /**
   * The same without the time in which the kernel ran other threads, so that a busy machine fails no test. Computing counts
   * and so does a synchronous wait.
   */
  longestStallMs: number
  p99StallMs: number
  /** Memory of the whole process at the reading, in MiB. */
  rssMb: number
}

/** The programs of a running Gatehouse, by their file names. */
const files = { portal: 'portal-main.mjs', service: 'service-main.mjs' }

export type Program = keyof typeof files | `${string}.ts` | `${string}.mjs`

export type EventLoopMonitor = Disposable & {
  /** For the processes to be measured, and those that start them: `makePlace({ ...monitor.env })` or spawn's `env`. */
  env: { NODE_OPTIONS: string }
  /** What this program measured since the last reading. Starts its next period. */
  read(program: Program): Promise<Period>
  /** What this program measured while `act` ran. Warm the program up first: loading and compiling are stalls too. */
  during(program: Program, act: () => Promise<unknown>): Promise<Period>
}

export function createEventLoopMonitor(): EventLoopMonitor {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-loops-'))
  const preload = new URL('./preload.mjs', import.meta.url)
  preload.searchParams.set('dir', dir)
  const read = (program: Program) => readPeriod(join(dir, `${isPart(program) ? files[program] : program}.sock`))
  return {
    env: { NODE_OPTIONS: [process.env.NODE_OPTIONS, `--import=${preload.href}`].filter(Boolean).join(' ') },
    read,
    async during(program, act) {
      await read(program)
      await act()
      return read(program)
    },
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  }
}

const isPart = (program: Program): program is keyof typeof files => Object.hasOwn(files, program)

async function readPeriod(path: string): Promise<Period> {
  return JSON.parse(await text(connect(path))) as Period
}
