/** What every provider must do for its backup files over HTTP. */
import { expect } from 'vitest'
import { get, type Said, send, type Target } from '../support/caller'

/** A server with at least four backups: one is verified, and one that is not has spaces in its name. */
export type BackupsTarget = Target & { id: string }

export type ListedBackup = {
  name: string
  size: string
  created_at: string
  proven: boolean
  missing?: { name: string; reason: string }[]
  left_out?: string[]
}

export async function listBackups(target: BackupsTarget): Promise<ListedBackup[]> {
  const { status, body } = await get(target, `/servers/${target.id}/backups`)
  expect({ status, success: body.success }).toEqual({ status: 200, success: true })
  return body.items as ListedBackup[]
}

const deleteBackups = (target: BackupsTarget, names: readonly string[]): Promise<Said> =>
  send(target, `/servers/${target.id}/deletebackup`, new URLSearchParams(names.map((name) => ['ids[]', name])))

const done = { status: 200, body: { success: true } }

const notOurs = ['', '.', '..', '../passwd', '/etc/passwd', 'a/b', '.lock', '.unfinished', 'x\ny', 'x\u0000y', 'x\u001by', 'x'.repeat(256)]

/** Harmless names of files that do not exist. */
const notThere = ['--', '*', '$(touch backup-marker)', '`touch backup-marker`', "'; touch backup-marker; '", 'zażółć 🦊', '\\', '"']

export async function proveBackups(target: BackupsTarget): Promise<void> {
  const backups = await listBackups(target)
  expect(backups.length).toBeGreaterThanOrEqual(4)
  for (const backup of backups) {
    const { missing, left_out, ...told } = backup
    expect([missing === undefined, left_out]).toEqual([left_out === undefined, missing && expect.any(Array)])
    expect(told).toEqual({
      name: expect.stringMatching(/^[^/]+$/),
      size: expect.stringMatching(/^\d+$/),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
      proven: expect.any(Boolean),
    })
  }
  expect(backups.map(({ created_at }) => created_at)).toEqual(
    backups
      .map(({ created_at }) => created_at)
      .sort()
      .reverse(),
  )
  expect(new Set(backups.map(({ proven }) => proven))).toEqual(new Set([true, false]))
  for (const name of notOurs) {
    expect([name, await deleteBackups(target, [name])]).toMatchObject([name, { status: 422, body: { code: 'invalid' } }])
  }
  expect(await deleteBackups(target, [])).toMatchObject({ status: 422, body: { code: 'invalid' } })
  expect(await deleteBackups(target, notThere)).toMatchObject(done)
  const absent = { ...target, id: 'no-such-server' }
  for (const said of [await deleteBackups(absent, ['x']), await get(target, '/servers/no-such-server/backups')]) {
    expect(said).toMatchObject({ status: 404, body: { code: 'not_found' } })
  }
  expect(await listBackups(target)).toEqual(backups)
  await proveBackupDeletion(target, backups)
}

async function proveBackupDeletion(target: BackupsTarget, backups: readonly ListedBackup[]): Promise<void> {
  const blank = backups.find(({ name }) => name.includes(' '))?.name ?? ''
  const [one, other] = backups.filter(({ name }) => name !== blank).map(({ name }) => name)
  for (const said of await Promise.all([deleteBackups(target, [blank, one ?? '']), deleteBackups(target, [one ?? '', other ?? ''])])) {
    expect(said).toMatchObject(done)
  }
  const left = backups.filter(({ name }) => ![blank, one, other].includes(name))
  expect(await listBackups(target)).toEqual(left)
  expect(await deleteBackups(target, [blank])).toMatchObject(done)
  expect(await listBackups(target)).toEqual(left)
}
