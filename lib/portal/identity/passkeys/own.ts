/** A user's own passkeys: listed, renamed, removed. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import type { Person } from '../actor'
import { refuseName } from '../name'
import { recordOwnChange } from '../own-change'
import { removeFactor } from '../second-factor/last-factor'

/** id: the credential id. Times are ISO. */
export type PasskeyView = { id: string; label: string; addedAt: string; usedAt: string | null }

/** The oldest first. */
export async function listPasskeys(userId: string): Promise<PasskeyView[]> {
  const rows = await db().passkey.findMany({ where: { userId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
  return rows.map(({ id, label, createdAt, lastUsedAt }) => ({
    id,
    label,
    addedAt: createdAt.toISOString(),
    usedAt: lastUsedAt?.toISOString() ?? null,
  }))
}

// The same for one that does not exist and one of somebody else.
const absent = () => problem('not_found', { sentence: 'Your account has no such passkey.' })

export async function renamePasskey(person: Person, id: string, given: string, requestId: string): Promise<Outcome<{ label: string }>> {
  const refusal = refuseName(given)
  if (refusal) return { ok: false, problem: problem('invalid', { fields: { label: refusal } }) }
  const label = given.trim()
  const change = async (): Promise<Outcome<{ label: string }>> => {
    const { count } = await db().passkey.updateMany({ where: { id, userId: person.user.id }, data: { label } })
    return count === 1 ? { ok: true, data: { label } } : { ok: false, problem: absent() }
  }
  return recordOwnChange(person, 'person.renamePasskey', requestId, change, { label })
}

/** Not the last way in, and not the last second factor while the team requires one. */
export async function removePasskey(person: Person, id: string, requestId: string): Promise<Outcome<null>> {
  const userId = person.user.id
  const found = await db().passkey.findFirst({ where: { id, userId }, select: { label: true } })
  if (!found) return { ok: false, problem: absent() }
  const remove = () => removeFactor(userId, async (client) => (await client.passkey.deleteMany({ where: { id, userId } })).count, absent())
  return recordOwnChange(person, 'person.removePasskey', requestId, remove, { label: found.label })
}
