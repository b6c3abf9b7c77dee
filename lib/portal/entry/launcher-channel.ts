/** What the portal's process and its launcher say to each other while it starts, over the IPC channel. */
import 'server-only'
import { ClaimError } from '@/lib/database/claim'
import { KeyFileError } from '@/lib/sealing/key-file'
import { SettingsError } from '@/lib/settings/settings'

/**
 * The launcher answers the first with the API key as { key }. The set-up link is made only on request. `notes` are sentences about the connections.
 * isConfiguration: only the server administrator can mend it.
 */
export type StartMessage =
  | { kind: 'key-wanted' }
  | { kind: 'prepared'; setupLink: string | null; ownerExists: boolean; notes: string[] }
  | { kind: 'refused'; sentence: string; isConfiguration: boolean }

/** Resolves when the launcher has it. */
export const tell = (message: StartMessage): Promise<void> =>
  new Promise((resolve) => {
    if (process.send) process.send(message, () => resolve())
    else resolve()
  })

/** The API key of the bundled service, which the launcher creates. */
export function askForKey(): Promise<string> {
  return new Promise((resolve) => {
    process.once('message', (message: { key: string }) => resolve(message.key))
    void tell({ kind: 'key-wanted' })
  })
}

const expected = [SettingsError, ClaimError, KeyFileError]

/** Reports why the portal may not start, and ends the process. isForOperator: the message is a sentence that the operator understands. */
export async function refuseStart(error: unknown, isForOperator = false): Promise<never> {
  const sentence = error instanceof Error ? error.message : String(error)
  const known = isForOperator || expected.some((kind) => error instanceof kind)
  const said = known ? sentence : `The portal could not be prepared: ${sentence}`
  if (!process.send) process.stderr.write(`${said}\n`)
  await tell({ kind: 'refused', sentence: said, isConfiguration: known })
  process.exit(1)
}
