/** Copies of backups outside of their servers, made and restored as jobs of these. */

import { randomBytes } from 'node:crypto'
import type { copies } from '@/lib/contract/operations/copies'
import { problem } from '@/lib/contract/problem'
import type { CopyTarget } from '../machines/copy-target'
import { MachineFailure } from '../machines/machine'
import { isSiteBackupName } from '../machines/site-backups'
import { findMachine } from '../store/machines'
import { listNames, onHost } from '../store/sites'
import { followOrStart, requireMachine, requireReadySite, type SubjectChecks, type SubjectRoutes } from './call'
import { checkTarget, checkTestedTarget, targetOf } from './copy-target'

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
    const { service, input } = call
    const machine = await requireMachine(call)
    const { tested, leftover } = scratchOf(targetOf(input))
    const check = await service.fleet.machine(machine).checkTarget(tested)
    if (check.kind === 'host-key') return { result: 'shown', host_key: check.hostKey }
    if (check.kind === 'failed') return { result: check.why }
    const { deletes, overwrites, ahead } = check
    const passed = { result: 'passed', deletes, overwrites, ...(ahead !== null && { ahead: String(ahead) }) }
    const own = targetOf(input)
    if (own.kind !== 'sftp' || input.maintenance_key === undefined) return passed
    const maintained = { ...own, privateKey: input.maintenance_key }
    return { ...passed, maintenance: await service.fleet.checkMaintenance(machine, maintained, leftover) }
  },
  prune: async ({ service, accountId, input }) => {
    const machine = input.of_server === '' ? null : await findMachine(service.store, accountId, input.of_server)
    const target = targetOf(input)
    if (target.kind !== 'folder') return { removed: await service.fleet.pruneCopies(machine, target, input.snapshots) }
    if (machine === null) throw new MachineFailure(problem('unsuitable', { sentence: folderGone }))
    return { removed: await service.fleet.machine(machine).pruneCopies(target, input.snapshots) }
  },
}

const folderGone =
  'Only the server itself reaches this folder, and Gatehouse no longer manages that server. Delete its copies with the recovery kit, on a server where the storage is mounted.'

/** rclone serves nothing but repositories: a server tests it with one that is made for the test. leftover: its folder. */
function scratchOf(target: CopyTarget): { tested: CopyTarget; leftover: string | null } {
  if (target.kind !== 'sftp' || target.access !== 'rclone' || target.hostKey === '') return { tested: target, leftover: null }
  const leftover = [target.folder, `gatehouse-test-${randomBytes(8).toString('hex')}`].filter((part) => part !== '').join('/')
  return { tested: { ...target, folder: leftover, password: randomBytes(32).toString('base64url') }, leftover }
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
      ...checkTarget(target),
      snapshots: areIds ? null : `Send 1 to ${maxSnapshots} ids of snapshots, as copies answer them.`,
    }
  },
}
