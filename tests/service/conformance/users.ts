/** What every provider must do for system users over HTTP. */
import { expect } from 'vitest'
import { get, post, type Said, type Target } from '../support/caller'

/** A server with the user `own`, which we log in as, and none of these: anna, ben, busy, user1 … user4. */
export type UsersTarget = Target & { id: string; own: string }

export const goodPass = 'a harbour "in" $(november)'

export const saveUser = (target: UsersTarget, user: string, pass = goodPass): Promise<Said> =>
  post(target, `/servers/${target.id}/savesystemuser`, { user, pass })

export const deleteUser = (target: UsersTarget, user: string): Promise<Said> =>
  post(target, `/servers/${target.id}/deletesystemuser`, { user })

export async function listUsers(target: UsersTarget): Promise<string[]> {
  const { status, body } = await get(target, `/servers/${target.id}/systemusers`)
  expect({ status, success: body.success }).toEqual({ status: 200, success: true })
  for (const name of ['name', 'dns', 'host', 'ip', 'user', 'port']) expect(typeof body[name], name).toBe('string')
  return (body.users as { name: string }[]).map(({ name }) => name)
}

const done = { status: 200, body: { success: true } }
const stale = { status: 409, body: { code: 'changed_meanwhile' } }

async function expectRefused(said: Said, what: unknown, ...why: string[]): Promise<void> {
  const { status, body } = said
  const told = { what, status, code: body.code, why: Object.keys(body.fields ?? {}).sort() }
  expect(told).toEqual({ what, status: 422, code: 'invalid', why })
  expect(JSON.stringify(body)).not.toContain(goodPass)
}

export async function proveUsers(target: UsersTarget): Promise<void> {
  const before = await listUsers(target)
  expect(before).toContain('root')
  expect(before).toContain(target.own)
  for (const name of ['daemon', 'www-data', 'nobody']) expect(before).not.toContain(name)

  for (const name of ['anna', 'ben_2-x']) expect(await saveUser(target, name)).toMatchObject(done)
  expect(await listUsers(target)).toEqual([...before, 'anna', 'ben_2-x'])
  // Saving an existing user sets its password and does not create a second one.
  const again = ['quotes \' and " and \\', 'zażółć gęślą 🦊', '-rf --help', 'a:b:c:d:e:f', `${'p'.repeat(499)}.`]
  for (const pass of again) expect(await saveUser(target, 'anna', pass)).toMatchObject(done)
  const [one, other] = await Promise.all([saveUser(target, 'ben_2-x'), saveUser(target, 'ben_2-x')])
  expect([one, other]).toMatchObject([done, done])
  expect(await listUsers(target)).toEqual([...before, 'anna', 'ben_2-x'])
  await proveUserRefusals(target)
  expect(await listUsers(target)).toEqual([...before, 'anna', 'ben_2-x'])
  await proveUserDeletion(target, before)
}

async function proveUserRefusals(target: UsersTarget): Promise<void> {
  for (const name of [
    '',
    ' ',
    '-rf',
    'a b',
    'a:b',
    'a\nb',
    '../x',
    '$(id)',
    'x'.repeat(33),
    'Anna',
    'jan.k',
    'root',
    'www-data',
    'mysql',
    target.own,
  ])
    await expectRefused(await saveUser(target, name), name, 'user')
  for (const pass of ['', 'short', 'two\nlines', 'a carriage\rreturn', 'an escape \u001b[31m', 'x'.repeat(501)])
    await expectRefused(await saveUser(target, 'anna', pass), pass, 'pass')
  await expectRefused(await saveUser(target, 'a b', 'short'), 'both', 'pass', 'user')
  for (const name of ['', '-rf', 'root', 'daemon', 'nobody', target.own, 'a\nb'])
    await expectRefused(await deleteUser(target, name), name, 'user')
  expect(await saveUser(target, 'sudo')).toMatchObject(stale)
  expect(await deleteUser(target, 'nobody-of-that-name')).toMatchObject(stale)
  const half = await post(target, `/servers/${target.id}/savesystemuser`, { user: 'anna' })
  expect(half).toMatchObject({ status: 422, body: { success: false } })
  const both = await post(target, `/servers/${target.id}/savesystemuser`, { user: 'anna', pass: goodPass, status: '1' })
  expect(both).toMatchObject({ status: 422, body: { code: 'ambiguous' } })
  const absent = { ...target, id: 'no-such-server' }
  for (const said of [await saveUser(absent, 'x'), await deleteUser(absent, 'x'), await get(target, '/servers/no-such-server/systemusers')])
    expect(said).toMatchObject({ status: 404, body: { code: 'not_found' } })
}

async function proveUserDeletion(target: UsersTarget, before: readonly string[]): Promise<void> {
  const job = { minute: '1', hour: '2', dom: '*', mon: '*', dow: '*', user: 'anna', command: 'nightly' }
  expect(await post(target, `/servers/${target.id}/savecronjob`, job)).toMatchObject(done)
  const twice = await Promise.all([deleteUser(target, 'anna'), deleteUser(target, 'anna')])
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await deleteUser(target, 'anna')).toMatchObject(stale)
  expect(await listUsers(target)).toEqual([...before, 'ben_2-x'])
  // A new user of the same name inherits nothing.
  expect(await saveUser(target, 'anna')).toMatchObject(done)
  const jobs = (await get(target, `/servers/${target.id}/cronjobs`)).body.cronjobs as { user: string }[]
  expect(jobs.filter(({ user }) => user === 'anna')).toEqual([])

  // More would wait too long for each other on a slow machine.
  const many = [1, 2, 3, 4].map((n) => `user${n}`)
  for (const said of await Promise.all(many.map((name) => saveUser(target, name)))) expect(said).toMatchObject(done)
  expect((await listUsers(target)).slice(before.length).sort()).toEqual(['anna', 'ben_2-x', ...many])
  for (const said of await Promise.all(['anna', 'ben_2-x', ...many].map((name) => deleteUser(target, name))))
    expect(said).toMatchObject(done)
  expect(await listUsers(target)).toEqual(before)
}
