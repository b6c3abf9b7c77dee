/** Notices that somebody else changed a value of a server while a form was open, so that it is not overwritten unseen. */
import 'server-only'
import { servers } from '@/lib/contract/operations/servers'
import { type Problem, problem } from '@/lib/contract/problem'
import type { Target } from '@/lib/portal/access/decide'
import { serversVisibleTo } from '@/lib/portal/access/visible'
import { findLastChange } from '@/lib/portal/audit/last-change'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import { showBidiControls } from '@/lib/text/bidi'
import { runOperation } from '../spine'

type Edited = {
  /** The operation that changes it. */
  action: string
  /** The present value; null if it is not known. */
  read: (actor: Person, serverId: string) => Promise<string | null>
}

/** The values that a form edits. */
const edited = {
  name: { action: servers.update.id, read: readRow('name') },
  dns: { action: servers.update.id, read: readRow('dns') },
  hostname: { action: servers.setHostname.id, read: readHostname },
} as const satisfies Record<string, Edited>

/**
 * `opened.NAME` is the value that the form was opened with. If the present value is another one, and not the wanted one either, the
 * problem names at the field who changed it and when. Null without `opened.NAME`, which is how a form says that it overwrites.
 * Of two changes in the same moment the later one wins: services have no conditional writes.
 */
export async function refuseOverwrite(
  actor: Person,
  { serverId }: Target,
  field: (name: string) => string | undefined,
): Promise<Problem | null> {
  if (!isOpaqueId(serverId)) return null
  for (const [name, { action, read }] of Object.entries(edited)) {
    const opened = field(`opened.${name}`)
    if (opened === undefined) continue
    const present = await read(actor, serverId)
    if (present === null || [opened, field(name)].includes(present)) continue
    const sentence = `${await formatChange(actor, serverId, action)} to “${showBidiControls(present)}” while you were editing.`
    return problem('changed_meanwhile', { sentence: 'Not saved, because it was changed in the meantime.', fields: { [name]: sentence } })
  }
  return null
}

function readRow(name: 'name' | 'dns') {
  return async (actor: Person, id: string): Promise<string | null> =>
    (await db().server.findFirst({ where: { id, ...(await serversVisibleTo(actor)) } }))?.[name] ?? null
}

/** From the server itself, because the row is only as new as the last list. Unknown if the server does not answer: then nothing is changed either. */
async function readHostname(actor: Person, serverId: string): Promise<string | null> {
  const read = await runOperation(actor, servers.summary, { serverId })
  return (read.ok && read.data.item[0].hostname) || null
}

/** "Robin changed this on 2026-11-23 at 08:50 UTC" */
async function formatChange(actor: Person, serverId: string, action: string): Promise<string> {
  const change = await findLastChange(actor, { serverId, action })
  return change ? `${change.who} changed this on ${change.at}` : 'This was changed'
}
