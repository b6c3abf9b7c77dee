/** Stores what a reply shows about its connection. */
import 'server-only'
import type { Problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { writeAside } from '@/lib/portal/base/write-aside'
import { findMembers } from '@/lib/portal/identity/membership'
import { notify } from '@/lib/portal/notifications/notify'
import type { Connection } from '@/prisma/generated/portal/client'
import type { UpstreamReply } from './egress'

// Recent enough for "last used", without a write for each polled read.
const noteEveryMs = 30_000

/**
 * Stores state, announced extensions and times of use; no caller waits for the times. Logs a key that cannot be decrypted as `tamper`,
 * once until it works again. Changes the row only while it still holds the key that was used. Never fails: the call is over, and its
 * outcome matters more than this. why: the problem that the reply stands for.
 */
export async function noteReply(connection: Connection, reply: UpstreamReply, why: Problem | null): Promise<void> {
  try {
    await note(connection, reply, why)
  } catch (error) {
    log.error({ err: error, connectionId: connection.id }, 'a response could not be noted')
  }
}

async function note(connection: Connection, reply: UpstreamReply, why: Problem | null): Promise<void> {
  if (reply.kind === 'failed') {
    if (reply.problem.code === 'key_locked' && connection.state !== 'locked') await noteTamper(connection)
    return
  }
  if (why?.code === 'key_rejected') {
    if (connection.state !== 'rejected') await noteRefused(connection)
    return
  }
  if (reply.status >= 300) return
  const now = new Date()
  const news = connection.state !== 'working' || connection.extensions !== reply.extensions
  if (!news && connection.lastUsedAt && now.getTime() - connection.lastUsedAt.getTime() < noteEveryMs) return
  const used = () => change(connection, { state: 'working', extensions: reply.extensions, lastUsedAt: now, provenAt: now })
  if (news) return used()
  writeAside(`connection ${connection.id}`, used)
}

/** Tells its owner, or for a connection of the team those who keep it: once per refusal, whichever of several calls noticed it first. */
async function noteRefused(connection: Connection): Promise<void> {
  const { id, teamId, ownerId, label, secretVersion } = connection
  const where = { id, secretVersion, state: { not: 'rejected' as const } }
  const now = new Date()
  const { count } = await db().connection.updateMany({ where, data: { state: 'rejected', lastUsedAt: now } })
  if (count === 0) return
  await notify({
    teamId,
    userIds: ownerId === null ? await findMembers(teamId, ['owner', 'admin']) : [ownerId],
    kind: 'key_refused',
    onceKey: `key_refused ${id} ${now.toISOString()}`,
    subject: { kind: 'connection', id },
    detail: { label },
  })
}

async function noteTamper(connection: Connection): Promise<void> {
  await change(connection, { state: 'locked' })
  await recordAudit({
    teamId: connection.teamId,
    actor: { kind: 'gatehouse' },
    action: 'connection.open',
    object: { kind: 'connection', id: connection.id },
    connectionId: connection.id,
    stage: 'event',
    outcome: 'tamper',
    detail: { code: 'key_locked', label: connection.label },
  })
}

async function change(
  connection: Connection,
  data: Partial<Pick<Connection, 'state' | 'extensions' | 'lastUsedAt' | 'provenAt'>>,
): Promise<void> {
  await db().connection.updateMany({ where: { id: connection.id, secretVersion: connection.secretVersion }, data })
}
