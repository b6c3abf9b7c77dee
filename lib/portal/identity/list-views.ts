/** How a member wants to see the lists: the columns they chose, and their saved views. Stored with the account, so they apply in every browser. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { storableText } from '@/lib/database/values'
import { cachedUntilWrite } from '@/lib/portal/base/cached-until-write'
import { db } from '@/lib/portal/base/db'
import { showBidiControls } from '@/lib/text/bidi'
import { ListName } from '@/prisma/generated/portal/client'
import type { Person } from './actor'

/** query: the list's address after the `?`, with its columns, so that it can be shared. */
export type SavedView = { name: string; query: string }

/** columns: ids; null: the usual ones. saved: by name. */
export type ListViews = { columns: readonly string[] | null; saved: readonly SavedView[] }

const maxViews = 30
const maxName = 60
const maxQuery = 4_000
const maxColumns = 40

type Owner = Pick<Person, 'user' | 'team'>

/** The row of the columns has no name, which a saved view always has. */
const unnamed = ''

const keyOf = ({ user, team }: Owner, list: ListName, name: string) => ({
  userId_teamId_list_name: { userId: user.id, teamId: team.id, list, name },
})

export function readListViews({ user, team }: Owner, list: ListName): Promise<ListViews> {
  return cachedUntilWrite(`list views ${user.id} ${team.id} ${list}`, async () => {
    const where = { userId: user.id, teamId: team.id, list }
    const rows = await db().listView.findMany({ where, select: { name: true, query: true }, orderBy: { name: 'asc' } })
    const columns = rows.find(({ name }) => name === unnamed)?.query.split(' ') ?? null
    return { columns, saved: rows.filter(({ name }) => name !== unnamed) }
  })
}

const readList = (given: string): ListName | undefined => Object.values(ListName).find((name) => name === given)

/** columns: ids separated by spaces; empty for the usual ones. A page ignores ids that its list does not have. */
export async function saveListColumns(owner: Owner, given: { list: string; columns: string }): Promise<Outcome<null>> {
  const [list, ids] = [readList(given.list), given.columns.split(' ').filter(Boolean)]
  if (!list || ids.length > maxColumns || !ids.every((id) => /^[a-z]{1,20}$/.test(id))) return { ok: false, problem: problem('invalid') }
  const { id: userId } = owner.user
  const place = { userId, teamId: owner.team.id, list, name: unnamed }
  if (ids.length === 0) await db().listView.deleteMany({ where: place })
  else {
    const query = ids.join(' ')
    await db().listView.upsert({ where: keyOf(owner, list, unnamed), create: { ...place, query }, update: { query } })
  }
  return { ok: true, data: null }
}

/** A view of the same name is replaced. */
export async function saveListView(owner: Owner, given: { list: string; name: string; query: string }): Promise<Outcome<SavedView>> {
  const list = readList(given.list)
  const name = storableText(showBidiControls(given.name.replace(/\s+/g, ' ').trim()))
  const query = storableText(new URLSearchParams(given.query).toString())
  if (!list || query.length > maxQuery) return { ok: false, problem: problem('invalid') }
  if (name === '' || name.length > maxName) return refuseName(name === '' ? 'Enter a name.' : `At most ${maxName} characters.`)
  const place = { userId: owner.user.id, teamId: owner.team.id, list }
  const others = await db().listView.count({ where: { ...place, name: { notIn: [unnamed, name] } } })
  if (others >= maxViews) return refuseName(`You have ${maxViews} views. Delete one first.`)
  await db().listView.upsert({ where: keyOf(owner, list, name), create: { ...place, name, query }, update: { query } })
  return { ok: true, data: { name, query } }
}

const refuseName = (name: string): Outcome<never> => ({ ok: false, problem: problem('invalid', { fields: { name } }) })

/** Returns what it was, so that it can be saved again. */
export async function deleteListView(owner: Owner, given: { list: string; name: string }): Promise<Outcome<SavedView>> {
  const list = readList(given.list)
  const key = list && given.name !== unnamed ? keyOf(owner, list, given.name) : null
  const found = key && (await db().listView.findUnique({ where: key, select: { name: true, query: true } }))
  if (!key || !found) return { ok: false, problem: problem('not_found') }
  await db().listView.deleteMany({ where: key.userId_teamId_list_name })
  return { ok: true, data: found }
}
