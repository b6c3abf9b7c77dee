import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { PageBody, PageHead } from '@/app/_ui/page-head'
import { may, mayKeep } from '@/lib/portal/access/roles'
import { requireActor } from '@/lib/portal/identity/actor'
import { listBackupTargets } from '@/lib/portal/subjects/backup-targets/list'
import { TargetList } from './target-list'

export const metadata: Metadata = { title: 'Backup targets' }

/** Where copies of backups are stored outside the servers: the team's targets and the reader's own. */
export default async function BackupTargetsPage() {
  const actor = await requireActor()
  if (!may(actor.role, 'teamConnections', 'read')) notFound()
  const targets = await listBackupTargets(actor)
  const keepers = (['team', 'own'] as const).filter((keeper) => mayKeep(actor.role, keeper))
  return (
    <>
      <PageHead trail={[{ href: '/team', name: 'Team' }]} title="Backup targets" />
      <PageBody>
        <p className="-mt-2 max-w-[72ch] text-muted">
          A backup target is storage outside your servers. Servers get a key that only adds; another key, which no server gets, checks and
          deletes. Both are stored encrypted, and nobody can read them here again.
        </p>
        <TargetList targets={targets} keepers={keepers} />
      </PageBody>
    </>
  )
}
