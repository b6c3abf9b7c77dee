/** What is still missing of what somebody asked for at a server or site: the access, or the loan of a connection. */
import 'server-only'
import { compileRight, isAllowed } from '@/lib/portal/access/grants/compile'
import { needOf } from '@/lib/portal/access/grants/needs'
import { readTeamGrants } from '@/lib/portal/access/grants/read'
import { mayRun } from '@/lib/portal/access/roles'
import type { Role } from '@/lib/portal/identity/actor'
import type { AccessRequest } from '@/prisma/generated/portal/client'
import { askedSubjectOf, operationsOf } from './askable'
import { toPlace } from './place'
import { findReached, type Lender } from './reached'
import { effectsOf } from './work'

/** granted: nothing is missing of the access. lent: nor of what connections are lent for. lenders: those whose lent ones are all there is. */
export type Lacking = { granted: boolean; lent: boolean; lenders: readonly Lender[] }

type Request = Pick<AccessRequest, 'teamId' | 'userId' | 'placeKind' | 'placeId' | 'subject' | 'effects' | 'root'>

/** role: of whoever asked. Of what is asked for in words, nothing is known. */
export async function findLacking({ teamId, userId, placeKind: kind, placeId: id, ...asked }: Request, role: Role): Promise<Lacking> {
  if (kind === 'nowhere') return { granted: false, lent: true, lenders: [] }
  const [place, { grants, labels }] = await Promise.all([toPlace({ kind, id }), readTeamGrants(teamId)])
  const { includes, lenders } = await findReached({ teamId, userId, role }, place)
  const [right, effects] = [compileRight({ userId, role }, grants, labels, Date.now()), effectsOf(asked)]
  const needed = operationsOf(kind).filter(
    (operation) =>
      askedSubjectOf(operation) === asked.subject &&
      effects.includes(operation.effect) &&
      (asked.root || operation.root !== true) &&
      mayRun(role, operation.effect),
  )
  return {
    granted: needed.every((operation) => isAllowed(right, needOf(operation), place)),
    lent: needed.every(includes),
    lenders,
  }
}
