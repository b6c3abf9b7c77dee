/** Copies of backups outside of their servers, made and restored as jobs of these. */
import type { copies } from '@/lib/contract/operations/copies'
import { isSiteBackupName } from '../machines/site-backups'
import { findMachine } from '../store/machines'
import { listNames, onHost } from '../store/sites'
import { followOrStart, requireMachine, requireReadySite, type SubjectChecks, type SubjectRoutes } from './call'
import { bucketOf, checkTarget, checkTestedTarget, targetOf } from './copy-target'

export const copiesRoutes: SubjectRoutes<typeof copies> = {
  make: (call) =>
    followOrStart(call, { operation: 'copies.make' }, async (machine) => {
      const { service, input } = call
      await requireReadySite(call)
      return service.siteRuns.run(machine, input.site_id, { operation: 'copies.make' }, async () => ({
        kind: 'copy',
        of: 'site',
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

  async test(call) {
    const check = await call.service.fleet.machine(await requireMachine(call)).checkTarget(targetOf(call.input))
    if (check.kind === 'host-key') return { result: 'shown', host_key: check.hostKey }
    if (check.kind === 'failed') return { result: check.why }
    const { deletes, overwrites, ahead } = check
    return { result: 'passed', deletes, overwrites, ahead: String(ahead) }
  },
  prune: async ({ service, accountId, input }) => {
    const machine = input.of_server === '' ? null : await findMachine(service.store, accountId, input.of_server)
    return { removed: await service.fleet.pruneCopies(machine, bucketOf(input), input.snapshots) }
  },
}

const maxSnapshots = 5000

const checkCopy = ({ backup, ...target }: { backup: string } & Parameters<typeof checkTarget>[0]) => ({
  ...checkTarget(target),
  backup: isSiteBackupName(backup) ? null : 'Send the name of the backup as the copy reported it.',
})

export const copiesChecks: SubjectChecks<typeof copies> = {
  make: checkTarget,
  restore: checkCopy,
  prove: checkCopy,
  test: checkTestedTarget,
  prune: ({ snapshots, ...target }) => {
    const areIds = snapshots.length > 0 && snapshots.length <= maxSnapshots && snapshots.every((each) => /^[0-9a-f]{8,64}$/.test(each))
    return {
      ...checkTarget({ kind: 's3', ...target }),
      snapshots: areIds ? null : `Send 1 to ${maxSnapshots} ids of snapshots, as copies answer them.`,
    }
  },
}
