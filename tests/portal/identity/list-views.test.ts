/** The columns and views that a member keeps: their own, in this team alone, within limits. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { deleteListView, readListViews, saveListColumns, saveListView } from '@/lib/portal/identity/list-views'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'

const none = { columns: null, saved: [] }

test('chosen columns are of one member, team and list, and an empty choice is the usual one', async () => {
  await using _ = await openPortalDatabase()
  const team = await createTeam()
  const [anna, ben] = [await team.join('viewer'), await team.join('owner')]
  expect(await readListViews(anna, 'servers')).toEqual(none)
  expect(await saveListColumns(anna, { list: 'servers', columns: 'state disk  day' })).toEqual({ ok: true, data: null })
  await saveListColumns(anna, { list: 'servers', columns: 'state disk' })
  expect((await readListViews(anna, 'servers')).columns).toEqual(['state', 'disk'])
  expect([await readListViews(anna, 'sites'), await readListViews(ben, 'servers')]).toEqual([none, none])
  const { team: other } = await (await createTeam('Other')).join('viewer')
  expect(await readListViews({ ...anna, team: other }, 'servers')).toEqual(none)
  await saveListColumns(anna, { list: 'servers', columns: '' })
  expect(await db().listView.count()).toBe(0)
})

test.each([
  ['another list', { list: 'users', columns: 'state' }],
  ['an id that no column has', { list: 'servers', columns: 'state; DROP' }],
  ['more than any list has', { list: 'sites', columns: Array.from({ length: 41 }, () => 'state').join(' ') }],
])('%s is refused', async (_what, given) => {
  await using _ = await openPortalDatabase()
  const anna = await (await createTeam()).join('viewer')
  expect(await saveListColumns(anna, given)).toMatchObject({ ok: false, problem: { code: 'invalid' } })
  expect(await db().listView.count()).toBe(0)
})

test('a view is saved by name, replaced by one of the same name, and can be deleted and saved again', async () => {
  await using _ = await openPortalDatabase()
  const anna = await (await createTeam()).join('viewer')
  await saveListColumns(anna, { list: 'servers', columns: 'state' })
  const view = { name: 'Full disks', query: 'disk=90&cols=state+disk' }
  expect(await saveListView(anna, { list: 'servers', name: '  Full   disks ', query: `?${view.query}` })).toEqual({ ok: true, data: view })
  await saveListView(anna, { list: 'servers', name: 'Another', query: '' })
  expect((await readListViews(anna, 'servers')).saved).toEqual([{ name: 'Another', query: '' }, view])
  await saveListView(anna, { list: 'servers', name: 'Another', query: 'q=web' })
  expect((await readListViews(anna, 'servers')).saved).toHaveLength(2)
  expect(await deleteListView(anna, { list: 'servers', name: 'Full disks' })).toEqual({ ok: true, data: view })
  expect(await deleteListView(anna, { list: 'servers', name: 'Full disks' })).toMatchObject({ problem: { code: 'not_found' } })
  // The columns have no name, and are no view.
  expect(await deleteListView(anna, { list: 'servers', name: '' })).toMatchObject({ problem: { code: 'not_found' } })
  expect((await readListViews(anna, 'servers')).columns).toEqual(['state'])
})

test('a name is needed, and there is a limit to names, addresses and views', async () => {
  await using _ = await openPortalDatabase()
  const anna = await (await createTeam()).join('viewer')
  const save = (name: string, query = '') => saveListView(anna, { list: 'sites', name, query })
  expect(await save(' ')).toMatchObject({ problem: { fields: { name: 'Enter a name.' } } })
  expect(await save('x'.repeat(61))).toMatchObject({ problem: { fields: { name: 'At most 60 characters.' } } })
  expect(await save('Long', `q=${'x'.repeat(4_000)}`)).toMatchObject({ problem: { code: 'invalid' } })
  for (let at = 0; at < 30; at += 1) expect((await save(`View ${at}`)).ok).toBe(true)
  expect(await save('One more')).toMatchObject({ problem: { fields: { name: 'You have 30 views. Delete one first.' } } })
  expect((await save('View 3', 'q=web')).ok).toBe(true)
})
