/** Approves a request for access, and lends the approver's own connection for the same, where that is all through which the asker reaches the place. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { needsSecondPerson } from '@/lib/portal/spine/held/rule'
import { runForConnection } from '../connections/recorded'
import type { AccessChanged } from '../team/access/change'
import { approveRequest } from '../team/requests/answer'
import { addLoan, detailOf } from './add'
import { findOwnConnection } from './find'
import { tellBorrowers } from './tell'

const action = 'connection.lend'

/** Fields: those of an approval, and lend: the id of the connection, empty to lend none. Two acts in the audit log, and one transaction. */
export async function approveAndLend(input: OwnInput): Promise<Outcome<AccessChanged>> {
  const { actor, field } = input
  if (field('lend') === '') return approveRequest(input)
  if (await needsSecondPerson(actor.team.id, 'access.approve')) return { ok: false, problem: separately }
  const found = await findOwnConnection(actor, action, field('lend'))
  if (!found.ok) return found
  const { id: connectionId, label } = found.data
  const [requestId, id] = [createOpaqueId(), createOpaqueId()]
  return approveRequest(input, async (asked, { userId, email }, approve) => {
    const to = { userId, role: null, email } as const
    const change = { actor, action, requestId, connectionId, keeper: 'own', detail: { label, ...detailOf(to, asked) } } as const
    const done = await runForConnection(change, () => approve((tx) => addLoan(tx, actor, { id, connectionId, to }, asked)))
    const told = { kind: 'connection_lent', requestId, startsAt: asked.from, endsAt: asked.until } as const
    if (done.ok) await tellBorrowers(actor, found.data, to, told)
    return done
  })
}

const separately = problem('forbidden', {
  sentence: 'Access needs a second person here, so a connection is lent separately, on its page.',
})
