/** Jobs of servers on lab hosts, followed to their end. */
import type { InstallLine, ServerJob } from '@/lib/service/machines/machine'

/** Starts it. Resolves with its lines; onLine is waited for at each. */
export async function followServerJob(job: ServerJob, onLine?: (line: InstallLine) => Promise<unknown>): Promise<InstallLine[]> {
  const { firstLine } = await job.start()
  const lines: InstallLine[] = []
  for await (const line of job.follow(firstLine, new AbortController().signal)) {
    lines.push(line)
    await onLine?.(line)
  }
  return lines
}

/** As `step: message`, a line each. */
export const textOfLines = (lines: readonly InstallLine[]): string => lines.map(({ step, message }) => `${step}: ${message}`).join('\n')
