/** What a script that asks the host program once printed last. */
import { problem } from '@/lib/contract/problem'
import { MachineFailure } from '@/lib/service/machines/machine'
import { hostEvent, parseJson } from './sentences'

/** The script lacks a program, and the line says which. */
const lacksProgram = 4

/** event: undefined for a line that is none. Throws MachineFailure if the server lacks a program. */
export function lastEventOf({ code, stdout }: { code: number; stdout: string }) {
  const line = stdout.trim().split('\n').at(-1) ?? ''
  if (code === lacksProgram) throw new MachineFailure(problem('not_installed', { sentence: line.slice(0, 300) }))
  return { line, event: hostEvent.safeParse(parseJson(line)).data }
}
