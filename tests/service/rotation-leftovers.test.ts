/** What a rotation of the service's master key that was killed leaves behind in files, and that the next one finishes from there. */
import { existsSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { rotateKeys } from '@/lib/service/store/rotation'
import { makeSealedRows, readSecrets } from './support/sealed-rows'

const files = vi.hoisted(() => ({ calls: 0, killAt: Number.POSITIVE_INFINITY }))

vi.mock('node:fs', async (importOriginal) => {
  const { guardFiles } = await import('@/tests/support/killed-files')
  return guardFiles(await importOriginal<typeof import('node:fs')>(), files)
})

test('security 7: a rotation of the service’s key killed at any file change is finished by the next one', async () => {
  let reached = 0
  for (let killAt = 1; ; killAt += 1) {
    await using rows = await makeSealedRows()
    const secrets = await readSecrets(await rows.open())
    Object.assign(files, { calls: 0, killAt })
    const survived = await rotateKeys(rows.db, rows.files).then(
      () => true,
      () => false,
    )
    const { calls } = files
    Object.assign(files, { calls: 0, killAt: Number.POSITIVE_INFINITY })
    expect(await readSecrets(await rows.open())).toEqual(secrets)
    expect(await rotateKeys(rows.db, rows.files)).toMatchObject({ opened: 3, old: 0, broken: [] })
    expect(await readSecrets(await rows.open())).toEqual(secrets)
    expect(existsSync(`${rows.files.current}.new`)).toBe(false)
    if (survived && calls < killAt) break
    reached += 1
  }
  expect(reached).toBeGreaterThanOrEqual(5)
})
