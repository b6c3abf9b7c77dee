/** The keys of a target change while somebody confirms the kit of before. */
import { expect, test, vi } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { addBackupTarget } from '@/lib/portal/subjects/backup-targets/change'
import { confirmKit, downloadKit } from '@/lib/portal/subjects/backup-targets/change-kit'
import { ensureRepository } from '@/lib/portal/subjects/backup-targets/repository'
import { startBucketServer } from '@/tests/support/bucket-server'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'

const between = vi.hoisted(() => ({ run: async () => {} }))

vi.mock('@/lib/portal/audit/record', async (importOriginal) => {
  const original = await importOriginal<typeof import('@/lib/portal/audit/record')>()
  const recordAudit: typeof original.recordAudit = async (event) => {
    await between.run()
    return original.recordAudit(event)
  }
  return { ...original, recordAudit }
})

test('the copies do not count as safe with it', async () => {
  await using _ = await openPortalDatabase()
  await using bucket = await startBucketServer()
  const owner = await (await createTeam()).join('owner')
  expect(await addBackupTarget(inputOf(owner, bucket.fields))).toMatchObject({ ok: true })
  const target = await db().backupTarget.findFirstOrThrow()
  await ensureRepository(target, { id: createOpaqueId(), name: 'web-1' })
  const kit = await downloadKit(inputOf(owner, { targetId: target.id }))
  const [, code = ''] = /confirmation code (\S+)/.exec(kit.ok ? kit.data.text : '') ?? []
  between.run = async () => void (await db().backupTarget.update({ where: { id: target.id }, data: { secretVersion: 2 } }))
  expect(await confirmKit(inputOf(owner, { targetId: target.id, code }))).toMatchObject({
    ok: false,
    problem: { code: 'changed_meanwhile' },
  })
  expect(await db().backupRepository.findFirstOrThrow()).toMatchObject({ kitConfirmedAt: null })
})
