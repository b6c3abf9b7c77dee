/** Deletes copies from a repository in a folder, which only the server itself reaches: by its host program, with the restic of its copies. */
import { problem } from '@/lib/contract/problem'
import type { FolderTarget } from '@/lib/service/machines/copy-target'
import { MachineFailure } from '@/lib/service/machines/machine'
import type { Connections } from '@/lib/service/ssh/connections'
import { CutConnection, outcomeUnknown } from '@/lib/service/ssh/failure'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { runPackagedLong } from './host/begin'
import { lastEventOf } from './host/last-event'
import { withSentence } from './host/sentences'

/** Of the whole work on one repository. */
const maxSeconds = 6 * 3600

/** Throws MachineFailure. What opens the repository is in the input of the script, and stored nowhere on the server. */
export async function pruneCopies(
  connections: Connections,
  host: HostAddress,
  target: FolderTarget,
  snapshots: readonly string[],
): Promise<number> {
  const values = [JSON.stringify(target), snapshots.join('\n')]
  const result = await runPackagedLong(connections, host, 'host/prune-copies', values, maxSeconds).catch((error: unknown) => {
    throw error instanceof CutConnection ? outcomeUnknown(error) : error
  })
  const { line, event } = lastEventOf(result)
  if (event?.code === 'copies-pruned') return event.removed
  const sentence = event ? withSentence(line) : 'The server could not delete the copies, for a reason that Gatehouse does not know.'
  throw new MachineFailure(problem('unsuitable', { sentence }))
}
