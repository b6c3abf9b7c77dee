/** systemd's units of an installed release. */
import type { Half } from '@/lib/rollback/losses'
import { type Installation, UpgradeError } from './installation'
import { lastLine, runTool } from './run-tool'

export const unitOf = (half: Half): string => `gatehouse-${half}.service`

/** Resolves with what systemctl printed. Rejects with UpgradeError. */
export async function systemctl(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runTool('systemctl', args)
  if (code !== 0) throw new UpgradeError(`systemctl ${args.join(' ')} failed: ${lastLine(stderr)}`)
  return stdout
}

/** The named properties of a unit; a property that systemd does not print is ''. Several lines of one name are joined by line breaks. */
export async function showUnit(half: Half, names: readonly string[]): Promise<Record<string, string>> {
  const output = await systemctl('show', unitOf(half), ...names.map((name) => `--property=${name}`))
  return parseShown(output, names)
}

export function parseShown(output: string, names: readonly string[]): Record<string, string> {
  const lines = output.split('\n')
  return Object.fromEntries(
    names.map((name) => [
      name,
      lines
        .filter((line) => line.startsWith(`${name}=`))
        .map((line) => line.slice(name.length + 1))
        .join('\n'),
    ]),
  )
}

/** Whether both units are there and start what `current` leads to. */
export async function hasUnits({ current }: Installation): Promise<boolean> {
  try {
    const shown = await Promise.all((['portal', 'service'] as const).map((half) => showUnit(half, ['LoadState', 'ExecStart'])))
    return shown.every(({ LoadState, ExecStart = '' }) => LoadState === 'loaded' && ExecStart.includes(`${current}/`))
  } catch {
    return false
  }
}
