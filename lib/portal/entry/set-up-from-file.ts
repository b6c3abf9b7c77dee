/** The first set-up without a browser: owner, invitations and a connection, all of them or none. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { everything } from '@/lib/portal/access/grants/stored'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { type AuditEvent, recordAudit, recordOutcomeRow } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { inTransaction } from '@/lib/portal/base/transaction'
import { storeLink } from '@/lib/portal/identity/one-time-link'
import { ownerExists } from '@/lib/portal/identity/setup-link'
import { createRowId } from '@/lib/portal/identity/token'
import { draftConnection, keepConnection } from '@/lib/portal/subjects/connections/create'
import { refuseLabel } from '@/lib/portal/subjects/connections/form'
import { type Proof, proveConnection } from '@/lib/portal/subjects/connections/prove'
import { readAddress } from '@/lib/portal/subjects/connections/read-address'
import { formatEndDate } from '@/lib/portal/subjects/team/end-date'
import { createInvitationLink } from '@/lib/portal/subjects/team/invitation-link'
import { storeInvitation } from '@/lib/portal/subjects/team/keep-invitation'
import { getSettings } from '@/lib/settings/settings'
import type { Connection, Prisma } from '@/prisma/generated/portal/client'
import type { Setup } from './setup-file'

/** link of the owner: sets the password, within an hour; null if the file has its hash. servers: how many the key lists. */
export type SetUp = {
  owner: { name: string; email: string; link: string | null }
  invitations: { email: string; link: string }[]
  connection: { label: string; servers: number } | null
}

type Invited = ReturnType<typeof drawUp>

type Plan = { teamId: string; ownerId: string; given: Setup; invited: Invited[]; draft: Connection | null; proof: Proof | undefined }

const alreadyDone = problem('forbidden', {
  sentence: 'An owner already exists, so nothing was changed. ./gatehouse users invites and adds members.',
})

/** A problem's fields are those of the file. The connection's key is tried before anything is stored. */
export async function setUpFromFile(given: Setup): Promise<Outcome<SetUp>> {
  if (await ownerExists()) return { ok: false, problem: alreadyDone }
  const { id: teamId } = await db().team.findFirstOrThrow({ orderBy: { createdAt: 'asc' } })
  const drafted = await draft(teamId, given.connection)
  if (!drafted.ok) return drafted
  const proven = drafted.data && (await proveConnection(drafted.data))
  if (proven && !proven.ok) return { ok: false, problem: atConnection(proven.problem) }
  const ownerId = createRowId()
  const invited = (given.invitations ?? []).map((each) => drawUp(each, teamId, ownerId))
  const plan = { teamId, ownerId, given, invited, draft: drafted.data, proof: proven?.data }
  const events = eventsOf(plan)
  for (const event of events) await recordAudit({ ...event, stage: 'intent', outcome: 'asked' })
  const stored = await inTransaction((tx) => store(tx, plan))
  for (const event of events) await recordOutcomeRow({ ...event, stage: 'outcome', outcome: stored.ok ? 'done' : 'failed' })
  if (!stored.ok) return stored
  const { name, email } = given.owner
  return {
    ok: true,
    data: {
      owner: { name, email, link: stored.data },
      invitations: invited.map(({ row, link }) => ({ email: row.email, link })),
      connection: plan.draft && { label: plan.draft.label, servers: plan.proof?.serverIds.length ?? 0 },
    },
  }
}

/** Null without a connection. With UPSTREAM_URL its service has to be connected, and is unless the file names another. */
async function draft(teamId: string, given: Setup['connection']): Promise<Outcome<Connection | null>> {
  const { upstreamUrl } = getSettings()
  if (!given) return upstreamUrl ? refuse('connection', 'Enter the API key of the service in UPSTREAM_URL.') : { ok: true, data: null }
  const { label = upstreamUrl?.host ?? '', address = upstreamUrl?.href, key } = given
  if (address === undefined) return refuse('connection.address', 'Enter the base URL of the service, the part before /servers.')
  const refused = refuseLabel(label.trim(), await db().connection.findMany({ where: { teamId } }))
  if (refused !== null) return refuse('connection.label', refused)
  const base = await readAddress(address)
  if ('code' in base) return { ok: false, problem: atConnection(base) }
  return { ok: true, data: await draftConnection({ teamId, ownerId: null, label: label.trim(), kind: 'foreign', ...base, key }) }
}

const refuse = (field: string, why: string) => ({ ok: false, problem: problem('invalid', { fields: { [field]: why } }) }) as const

/** A form's fields, as the file names them. */
function atConnection({ fields = {}, ...rest }: Problem): Problem {
  const names: Record<string, string> = { address: 'connection.address', apiKey: 'connection.key' }
  const renamed = Object.entries(fields).map(([field, why]) => [names[field] ?? field, [rest.sentence, why].join(' ')])
  return { ...rest, fields: Object.fromEntries(renamed) }
}

function drawUp({ email, role, until = null, access = true }: NonNullable<Setup['invitations']>[number], teamId: string, ownerId: string) {
  const { link, ...token } = createInvitationLink()
  const terms = { email, role, membershipEndsAt: until, everything: access && role !== 'guest' }
  return { link, row: { ...token, ...terms, id: createRowId(), teamId, invitedById: ownerId } }
}

/** Returns the link that sets the owner's password. Deleting links comes first: that takes the lock, so nobody becomes the owner meanwhile. */
async function store(tx: Prisma.TransactionClient, { teamId, ownerId, given, invited, ...plan }: Plan): Promise<Outcome<string | null>> {
  await tx.oneTimeLink.deleteMany({ where: { purpose: 'setup' } })
  if (await ownerExists(tx)) return { ok: false, problem: alreadyDone }
  const { name, email, passwordHash } = given.owner
  if ((await tx.user.count({ where: { email } })) > 0) return refuse('owner.email', 'An account with this address exists.')
  const grants = { create: everything(createRowId(), 'The first owner.') }
  const memberships = { create: { teamId, role: 'owner', grants } } as const
  await tx.user.create({ data: { id: ownerId, email, name, passwordHash: passwordHash ?? null, memberships } })
  if (given.team !== undefined) await tx.team.update({ where: { id: teamId }, data: { name: given.team } })
  for (const [place, { row }] of invited.entries()) {
    const kept = await storeInvitation(tx, row)
    if (!kept.ok) return refuse(`invitations[${place}].email`, kept.problem.fields?.email ?? kept.problem.sentence)
  }
  if (plan.draft) await keepConnection(plan.draft, plan.proof, tx)
  return { ok: true, data: passwordHash === undefined ? await storeLink(tx, 'recover', ownerId, {}) : null }
}

type Event = Omit<AuditEvent, 'stage' | 'outcome'>

function eventsOf({ teamId, ownerId, given, invited, draft: connection }: Plan): Event[] {
  const event = (action: OwnAction, rest: Pick<AuditEvent, 'object' | 'detail' | 'connectionId'>): Event => ({
    requestId: createRowId(),
    teamId,
    actor: { kind: 'operator' },
    action,
    ...rest,
    detail: { ...rest.detail, via: 'shell' },
  })
  const invitations = invited.map(({ row: { id, email, role, membershipEndsAt } }) => {
    const detail = { email, role, until: formatEndDate(membershipEndsAt) }
    return event('invitation.create', { object: { kind: 'invitation', id }, detail })
  })
  const { id, label, origin, basePath } = connection ?? {}
  return [
    event('owner.setUp', { object: { kind: 'user', id: ownerId }, detail: { email: given.owner.email } }),
    ...invitations,
    ...(id === undefined
      ? []
      : [
          event('connection.create', {
            object: { kind: 'connection', id },
            connectionId: id,
            detail: { label, address: `${origin}${basePath}`, keeper: 'team' },
          }),
        ]),
  ]
}
