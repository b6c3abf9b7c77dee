/** What every provider must do for staging copies over HTTP. */
import { expect } from 'vitest'
import { get, post, type Said, type Target } from '../support/caller'
import { createSite, deleteSite, listSites, type Parts, streamPull, streamPush } from '../support/slow-work'
import { expectWhole, itemOf, newSite, type SitesTarget } from './sites'

const domain = 'shop.example.org'
const copy = `staging.${domain}`
const orders = ['wp_wc_order_addresses', 'wp_wc_orders']

/** fill: gives a site the tables of a shop, of which two of orders are joined by a foreign key. A sandbox site has them by its name. */
export type StagingTarget = SitesTarget & { fill?: (user: string) => Promise<void> }

const all: Parts = { files: '1', database: '1', tables: [] }
const neither: Parts = { files: '0', database: '0', tables: [] }

const pull = async (target: Target, id: string, parts: Parts): Promise<Said> => answerOf(await streamPull(target, id, parts))
const push = async (target: Target, id: string, parts: Parts): Promise<Said> => answerOf(await streamPush(target, id, parts))

/** The answer as a call without a stream gets it, but for the status of failures. */
function answerOf({ status, body, events }: Awaited<ReturnType<typeof streamPull>>): Said {
  if (status !== 200) return { status, body } as Said
  return { status, body: (events.at(-1)?.result ?? {}) as Record<string, unknown> } as Said
}

type Table = { name: string; pulled: boolean; changed: boolean; partners: string[]; private: string; rows: number; bytes: number }

const stagingOf = async (target: Target, id: string) =>
  (await itemOf(target, `/sites/${id}/staging`)) as {
    domain: string
    exists: boolean
    pulled: string
    mixed: boolean
    tables: Table[]
    live_changes?: unknown
    access?: { user: string; db_name: string }
  }

async function proveBefore(target: StagingTarget, stranger: Target, id: string): Promise<void> {
  const before = await stagingOf(target, id)
  expect(before).toMatchObject({ domain: copy, exists: false, user: 'staging', pulled: '', files_bytes: expect.any(Number) })
  expect(before.live_changes).toBeUndefined()
  expect(before.tables.every(({ pulled, changed }) => !pulled && !changed)).toBe(true)
  const words = Object.fromEntries(before.tables.map((table) => [table.name, table.private]))
  expect(words).toMatchObject({ wp_users: 'users', wp_comments: 'comments', wp_wc_orders: 'orders', wp_posts: '' })
  expect(before.tables.find(({ name }) => name === 'wp_wc_orders')?.partners).toEqual(['wp_wc_order_addresses'])
  for (const stream of [streamPull, streamPush]) {
    expect(await stream(target, id, { ...all, tables: orders }, { lastEventId: 0 })).toMatchObject({
      status: 404,
      body: { code: 'no_install' },
    })
    expect(await stream(stranger, id, { ...all, tables: orders })).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await stream(target, id, neither)).toMatchObject({
      status: 422,
      body: { code: 'invalid', fields: { files: expect.any(String) } },
    })
    const long: Parts = { ...all, tables: ['x'.repeat(65)] }
    expect(await stream(target, id, long)).toMatchObject({ status: 422, body: { fields: { tables: expect.any(String) } } })
  }
  expect(await get(target, `/sites/${id}/apps/pull`)).toMatchObject({ status: 405 })
  const nothing = { status: 409, body: { code: 'unsuitable', error: expect.stringContaining('no staging copy') } }
  expect(await streamPush(target, id, { ...all, tables: orders })).toMatchObject(nothing)
  expect(await streamPull(target, id, { ...neither, new_password: '1' })).toMatchObject(nothing)
  expect(await post(target, `/sites/${id}/savedatabase`, { password: 'of the copy', staging: '1' })).toMatchObject(nothing)
  const unnamed = { status: 422, body: { fields: { tables: 'Name the tables to push.' } } }
  expect(await streamPush(target, id, all)).toMatchObject(unnamed)
  expect(await post(target, `/sites/${id}/apps/push`, { files: '1', database: '1' })).toMatchObject(unnamed)
}

/** A name that is taken, and tables that are not there or lack their partners: nothing is made. */
async function proveRefusals(target: StagingTarget, id: string): Promise<void> {
  expect(await post(target, `/sites/${id}/savealias`, { alias: copy })).toMatchObject({ status: 200 })
  const taken = { status: 409, body: { code: 'unsuitable', error: expect.stringContaining(`${copy} is already a name`) } }
  expect(await streamPull(target, id, all)).toMatchObject(taken)
  expect(await post(target, `/sites/${id}/deletealias`, { alias: copy })).toMatchObject({ status: 200 })
  const tables: [string[], RegExp][] = [
    [['wp_none'], /no table wp_none/],
    [["`; DROP DATABASE x; '"], /no table/],
    [['wp_wc_orders'], /wp_wc_orders cannot be copied without wp_wc_order_addresses/],
  ]
  for (const [names, why] of tables) {
    expect((await pull(target, id, { ...all, tables: names })).body).toMatchObject({
      code: 'unsuitable',
      error: expect.stringMatching(why),
    })
  }
  expect(await listSites(target)).toMatchObject([{ domain, staging: '' }])
}

async function provePull(target: StagingTarget, id: string): Promise<void> {
  const begun = await streamPull(target, id, all, { until: 2 })
  const first = begun.events[0]?.id ?? 0
  const whole = await streamPull(target, id, all, { lastEventId: first - 1 })
  const credentials = { url: `http://${copy}`, user: 'staging', password: expect.stringMatching(/^[\w-]{20}$/) }
  expectWhole(whole, { success: true, credentials })
  expect(whole.events.map(({ step }) => step)).toEqual(expect.arrayContaining(['Files', 'Database', 'Addresses', 'Exchange']))
  expect(whole.events.filter(({ message }) => /password/i.test(message))).toEqual([])
  const after = await stagingOf(target, id)
  expect(after.exists).toBe(true)
  expect(Math.abs(Date.parse(after.pulled) - Date.now())).toBeLessThan(120_000)
  expect(after.tables.filter(({ pulled, changed }) => !pulled || changed)).toEqual([])
  expect(after.live_changes).toEqual({ count: 0, names: [], conflicts: [], noted: true })
  // In the list it is a mark of its live site, and its name is taken.
  expect(await listSites(target)).toMatchObject([{ domain, staging: copy }])
  expect(await createSite(target, newSite(target, copy))).toMatchObject({ status: 422 })
  expect(await post(target, `/sites/${id}/savealias`, { alias: copy })).toMatchObject({ status: 422 })
}

/** Whoever may change the site gets into its copy, by new passwords: those that the pull has made are shown to nobody. */
async function proveAccess(target: StagingTarget, id: string): Promise<void> {
  const { access } = await stagingOf(target, id)
  const live = await itemOf(target, `/sites/${id}/summary`)
  const user = access?.user ?? ''
  expect(access).toMatchObject({ ip: expect.any(String), root: '/public', db_name: user, db_user: user, db_host: 'localhost' })
  expect(user).not.toBe(live.user)
  const server = String((await listSites(target))[0]?.server)
  expect(await post(target, `/servers/${server}/savesystemuser`, { user, pass: 'a new password' })).toMatchObject({ status: 200 })
  expect(await post(target, `/sites/${id}/savedatabase`, { password: 'of the copy', staging: '1' })).toMatchObject({ status: 200 })
}

/** Nothing is copied then. */
async function proveNewPassword(target: StagingTarget, id: string): Promise<void> {
  const before = await stagingOf(target, id)
  const { status, events } = await streamPull(target, id, { ...neither, new_password: '1' })
  const credentials = { url: `http://${copy}`, user: 'staging', password: expect.stringMatching(/^[\w-]{20}$/) }
  expectWhole({ status, events, body: {} }, { success: true, credentials })
  expect(events.map(({ step }) => step)).not.toContain('Exchange')
  expect((await stagingOf(target, id)).pulled).toBe(before.pulled)
}

async function proveLater(target: StagingTarget, id: string): Promise<void> {
  // The password is answered once, and then only when there is a new one.
  expect((await pull(target, id, { ...all, files: '0', tables: ['wp_posts'] })).body).toEqual({ success: true })
  const renewed = await pull(target, id, { ...all, database: '0', new_password: '1' })
  expect(renewed.body).toMatchObject({ success: true, credentials: { password: expect.stringMatching(/^[\w-]{20}$/) } })
  const pushed = await push(target, id, { ...all, tables: ['wp_posts', ...orders] })
  expect(pushed.body).toMatchObject({ success: true, backup: expect.stringContaining(domain) })
  const { items } = (await get(target, `/sites/${id}/backups`)).body as { items: Record<string, unknown>[] }
  expect(items.find(({ name }) => name === pushed.body.backup)).toMatchObject({ reason: 'push', proven: true })
  const replaced = await push(target, id, { ...all, database: '0', replace_live_changes: '1' })
  expect(replaced.body).toMatchObject({ success: true, backup: expect.stringContaining(domain) })
  expect((await push(target, id, { ...all, tables: ['wp_wc_orders'] })).body).toMatchObject({ code: 'unsuitable' })
}

/** Leaves the server without the sites that it creates. stranger: the same service with the key of another account. */
export async function proveStaging(target: StagingTarget, stranger: Target): Promise<void> {
  const { body } = await createSite(target, newSite(target, domain))
  const id = String(body.id)
  await target.fill?.(String((await itemOf(target, `/sites/${id}/summary`)).user))
  await proveBefore(target, stranger, id)
  await proveRefusals(target, id)
  await provePull(target, id)
  await proveAccess(target, id)
  await proveNewPassword(target, id)
  await proveLater(target, id)
  // The copy goes with its live site, and its name is free again.
  expect(await deleteSite(target, id, '?without_backup=1')).toMatchObject({ status: 200 })
  const { body: named } = await createSite(target, newSite(target, copy))
  expect(await deleteSite(target, String(named.id), '?without_backup=1')).toMatchObject({ status: 200 })
  expect(await listSites(target)).toEqual([])
}
