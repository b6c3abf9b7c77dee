/** What needs a second person: a rule of each team, which lists subjects such as "deleting sites". docs/decisions/074-two-people.md */
import 'server-only'
import { contract, operations } from '@/lib/contract'
import type { Operation } from '@/lib/contract/operation'
import { type Problem, problem } from '@/lib/contract/problem'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { cachedUntilWrite } from '@/lib/portal/base/cached-until-write'
import { db } from '@/lib/portal/base/db'
import type { Prisma } from '@/prisma/generated/portal/client'

const { apps, backups, copies, servers, sites } = contract

/** What changes who can do what. */
const accessActions = [
  'access.give',
  'access.approve',
  'access.change',
  'access.end',
  'member.changeRole',
  'member.setEnd',
  'member.enable',
  'member.disable',
  'member.remove',
  'invitation.create',
] as const

/** Each makes a link that leads to the account of another member, or of one to be. */
const linkActions = ['invitation.resend', 'member.resetLink'] as const

const connectionActions = ['connection.freeze', 'connection.remove'] as const

/** What of Gatehouse itself can be listed. */
export type HeldOwnAction =
  | (typeof accessActions)[number]
  | (typeof linkActions)[number]
  | (typeof connectionActions)[number]
  | 'activity.export'

/** guarded: what would lead somebody to the account of their second person. It cannot be held, so it is refused while the rule is on. */
type Rule = {
  label: string
  operations: readonly Operation[]
  own: readonly HeldOwnAction[]
  guarded?: readonly OwnAction[]
  proposed: boolean
}

const named: readonly Operation[] = [servers.delete, sites.delete, backups.restore, copies.restore, apps.push]

/** By the names that the database stores, so none is renamed. The last two also include what later versions of the contract add. */
const rules = {
  deleteServers: { label: 'Deleting servers', operations: [servers.delete], own: [], proposed: true },
  deleteSites: { label: 'Deleting sites', operations: [sites.delete], own: [], proposed: true },
  restore: { label: 'Restoring sites', operations: [backups.restore, copies.restore], own: [], proposed: true },
  push: { label: 'Pushing staging copies to live sites', operations: [apps.push], own: [], proposed: true },
  freeze: { label: 'Freezing or removing a connection of the team', operations: [], own: connectionActions, proposed: true },
  access: {
    label: 'Changes of access and roles, and invitations',
    operations: [],
    own: [...accessActions, ...linkActions],
    guarded: ['member.changeEmail'],
    proposed: true,
  },
  recoveryLinks: {
    label: 'Links that reset a member’s password, and new links of invitations',
    operations: [],
    own: linkActions,
    guarded: ['member.changeEmail'],
    proposed: true,
  },
  exportLog: { label: 'Exporting the audit log', operations: [], own: ['activity.export'], proposed: true },
  deleteOther: {
    label: 'Deleting anything else for good, such as backups and system users',
    operations: operations.filter((operation) => operation.effect === 'destroy' && !named.includes(operation)),
    own: [],
    proposed: false,
  },
  root: {
    label: 'What amounts to root on a server: installing, SSH keys, system users, cron and the firewall',
    operations: operations.filter(({ root, effect }) => root === true && effect !== 'read' && effect !== 'destroy'),
    own: [],
    proposed: false,
  },
} as const satisfies Record<string, Rule>

export type RuleName = keyof typeof rules

export const ruleNames = Object.keys(rules).filter(isRuleName)

function isRuleName(name: string): name is RuleName {
  return Object.hasOwn(rules, name)
}

export const ruleOf = (name: RuleName): Rule => rules[name]

/** What the team has chosen. Never stale. Names that this version does not know are left out. */
export function readRule(teamId: string): Promise<readonly RuleName[]> {
  return cachedUntilWrite(`second person ${teamId}`, async () => {
    const team = await db().team.findUniqueOrThrow({ where: { id: teamId }, select: { secondPersonFor: true } })
    return parseRule(team.secondPersonFor)
  })
}

/** Whether an operation, or an action of Gatehouse, waits for a second person in this team. */
export async function needsSecondPerson(teamId: string, action: string): Promise<boolean> {
  const listing = ruleNames.filter((name) => lists(ruleOf(name), action))
  return listing.length > 0 && (await readRule(teamId)).some((name) => listing.includes(name))
}

const turnedOn = problem('changed_meanwhile', {
  sentence: 'This needs a second person since a moment ago. Nothing was done. Try again to ask for one.',
})

/** For what must not be stored once the rule lists it: in the same transaction, after a write. Null if it may be stored. */
export async function refuseTurnedOn(
  tx: Prisma.TransactionClient,
  teamId: string,
  action: OwnAction,
  approvedDigest: string | undefined,
): Promise<Problem | null> {
  if (approvedDigest !== undefined) return null
  const { secondPersonFor } = await tx.team.findUniqueOrThrow({ where: { id: teamId }, select: { secondPersonFor: true } })
  return parseRule(secondPersonFor).some((name) => lists(ruleOf(name), action)) ? turnedOn : null
}

const parseRule = (secondPersonFor: string): readonly RuleName[] => secondPersonFor.split(',').filter(isRuleName)

const lists = ({ operations: listed, own, guarded = [] }: Rule, action: string): boolean =>
  listed.some(({ id }) => id === action) || [...own, ...guarded].some((each) => each === action)
