/** Runs a change to a connection between the two entries of the audit log. */
import 'server-only'
import type { Outcome } from '@/lib/contract/problem'
import type { Keeper } from '@/lib/portal/access/roles'
import { type Recheck, type RecordedChange, runRecorded } from '@/lib/portal/spine/recorded'

type Change = Pick<RecordedChange, 'actor' | 'action' | 'requestId' | 'detail' | 'second'> & { connectionId: string; keeper: Keeper }

/** Like the spine's runRecorded; the role must permit changing connections of that keeper. */
export function runForConnection<T>(
  { connectionId, keeper, ...change }: Change,
  run: (recheck: Recheck) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const subject = keeper === 'team' ? 'teamConnections' : 'ownConnections'
  return runRecorded(
    { ...change, connectionId, object: { kind: 'connection', id: connectionId }, needs: { subject, effect: 'change' } },
    (_, recheck) => run(recheck),
  )
}
