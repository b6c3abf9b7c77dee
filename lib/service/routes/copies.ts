/** Copies of backups outside of their servers, made and restored as jobs of these. */
import type { copies } from '@/lib/contract/operations/copies'
import { isSiteBackupName } from '../machines/site-backups'
import type { CopyTarget } from '../machines/sites'
import { listNames, onHost } from '../store/sites'
import { followOrStart, requireReadySite, type SubjectChecks, type SubjectRoutes } from './call'

type TargetFields = Omit<CopyTarget, 'keyId' | 'keySecret' | 'limitKb'> & { key_id: string; key_secret: string; limit?: string }

const targetOf = ({
  endpoint,
  region,
  bucket,
  folder,
  key_id: keyId,
  key_secret: keySecret,
  password,
  limit = '',
}: TargetFields): CopyTarget => ({
  endpoint,
  region,
  bucket,
  folder,
  keyId,
  keySecret,
  password,
  limitKb: limit,
})

export const copiesRoutes: SubjectRoutes<typeof copies> = {
  make: (call) =>
    followOrStart(call, { operation: 'copies.make' }, async (machine) => {
      const { service, input } = call
      await requireReadySite(call)
      return service.siteRuns.run(machine, input.site_id, { operation: 'copies.make' }, async () => ({
        kind: 'copy',
        site: onHost(await requireReadySite(call)),
        target: targetOf(input),
      }))
    }),

  restore: (call) =>
    followOrStart(call, { operation: 'copies.restore' }, async (machine) => {
      const { service, input } = call
      await requireReadySite(call)
      return service.siteRuns.run(machine, input.site_id, { operation: 'copies.restore' }, async ({ authority }) => {
        const site = onHost(await requireReadySite(call))
        const taken = await listNames(service.store, call.accountId, site.id)
        const copy = { snapshot: input.snapshot, sha256: input.sha256 ?? '', target: targetOf(input) }
        return { kind: 'restore', site, backup: input.backup, backupFirst: input.backup_first === true, taken, authority, copy }
      })
    }),

  prove: (call) =>
    followOrStart(call, { operation: 'copies.prove' }, async (machine) => {
      const { service, input } = call
      await requireReadySite(call)
      return service.siteRuns.run(machine, input.site_id, { operation: 'copies.prove' }, async () => {
        const copy = { snapshot: input.snapshot, sha256: input.sha256 ?? '', target: targetOf(input) }
        return { kind: 'prove', site: onHost(await requireReadySite(call)), backup: input.backup, copy }
      })
    }),
}

const checkBackup = ({ backup }: { backup: string }) => ({
  backup: isSiteBackupName(backup) ? null : 'Send the name of the backup as the copy reported it.',
})

export const copiesChecks: SubjectChecks<typeof copies> = {
  restore: checkBackup,
  prove: checkBackup,
}
