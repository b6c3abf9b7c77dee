import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { Schedule } from '@/app/_shared/backup-plans/schedule'
import { PageBody, PageHead } from '@/app/_ui/page-head'
import { Card, Section } from '@/app/_ui/section'
import { may, mayKeep } from '@/lib/portal/access/roles'
import { requireActor } from '@/lib/portal/identity/actor'
import { readSchedule } from '@/lib/portal/subjects/backup-plans/view'
import { listTestServers } from '@/lib/portal/subjects/backup-targets/check-from-server'
import { listBackupTargets } from '@/lib/portal/subjects/backup-targets/list'
import { TargetList } from './target-list'

export const metadata: Metadata = { title: 'Backup targets' }

/** Storage outside the servers, tested for copies of backups: the team's targets and the reader's own. */
export default async function BackupTargetsPage() {
  const actor = await requireActor()
  if (!may(actor.role, 'teamConnections', 'read')) notFound()
  const targets = await listBackupTargets(actor)
  const schedule = await readSchedule(actor, { kind: 'team', id: actor.team.id })
  const keepers = (['team', 'own'] as const).filter((keeper) => mayKeep(actor.role, keeper))
  const servers = keepers.length === 0 ? [] : await listTestServers(actor)
  return (
    <>
      <PageHead trail={[{ href: '/team', name: 'Team' }]} title="Backup targets" />
      <PageBody>
        <p className="-mt-2 max-w-[72ch] text-muted">
          A backup target is storage outside your servers. The newest backups of sites and servers are copied there, on request or every
          night, encrypted on the server. Gatehouse tests whether copies are safe there. Keys are stored encrypted.
        </p>
        <TargetList targets={targets} keepers={keepers} servers={servers} />
        {schedule === null || (targets.length === 0 && schedule.plan === null) ? null : (
          <Section title="Scheduled copies">
            <Card>
              <Schedule schedule={schedule} />
            </Card>
          </Section>
        )}
      </PageBody>
    </>
  )
}
