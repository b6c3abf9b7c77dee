/** Runs one install on a lab host and follows it. */
import type { InstallLine } from '@/lib/service/machines/machine'
import type { AdmittedHost } from './reach'

/** Installs to the end. Waits for `onLine` before it reads the next line; the run itself does not wait. */
export async function install(
  { machine }: Pick<AdmittedHost, 'machine'>,
  onLine?: (line: InstallLine) => Promise<void>,
): Promise<InstallLine[]> {
  const { firstLine } = await machine.install.start()
  const lines: InstallLine[] = []
  for await (const line of machine.install.follow(firstLine, new AbortController().signal)) {
    lines.push(line)
    await onLine?.(line)
  }
  return lines
}

export const messagesOf = (lines: readonly InstallLine[]): string[] => lines.map(({ message }) => message)
