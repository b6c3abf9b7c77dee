/** One run of the install on a lab host, as a test follows it. */
import type { InstallLine } from '@/lib/service/machines/machine'
import type { AdmittedHost } from './reach'

/** Installs to the end. `onLine` is waited for before the next line is read; the run itself does not wait. */
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
