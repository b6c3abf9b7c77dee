/** A program that a test started, which ends with the test. */
import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

/** output: everything printed so far, both streams. ended: its exit code; null if a signal ended it. */
export type ChildProgram = AsyncDisposable & { output(): string; ended: Promise<number | null> }

/** Listens to what it prints. Disposing of it sends SIGTERM, unless it has ended, and waits until it has. */
export function followProgram(child: ChildProcessByStdio<Writable | null, Readable, Readable>): ChildProgram {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  return {
    ended,
    output: () => output,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await ended
    },
  }
}
