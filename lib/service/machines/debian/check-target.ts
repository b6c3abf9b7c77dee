/** Whether copies of backups can be stored at a target, as a real server sees it. The host program tries it. */
import { type CopyTarget, type TargetCheck, type TargetFault, targetFaults } from '@/lib/service/machines/copy-target'
import type { Connections } from '@/lib/service/ssh/connections'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { runPackaged } from './host/begin'
import { lastEventOf } from './host/last-event'
import { requireDone } from './require-done'

/** Throws MachineFailure. What opens the target is in the input of the script, and stored nowhere on the server. */
export async function checkTarget(connections: Connections, host: HostAddress, target: CopyTarget): Promise<TargetCheck> {
  const result = await runPackaged(connections, host, 'host/check-target', [JSON.stringify(target)])
  const { event } = lastEventOf(result)
  if (event?.code === 'target-passed') {
    return { kind: 'passed', deletes: event.deletes === 1, overwrites: event.overwrites === 1, ahead: event.ahead ?? null }
  }
  if (event?.code === 'host-key') return { kind: 'host-key', hostKey: event.key }
  if (event?.code === 'copy-failed') return { kind: 'failed', why: faultOf(event.why) }
  requireDone(result, 'test the target')
  return { kind: 'failed', why: 'unknown' }
}

const faultOf = (why: string): TargetFault => targetFaults.find((each) => each === why) ?? 'unknown'
