import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { PageBody, PageHead } from '@/app/_ui/page-head'
import { RelativeTime } from '@/app/_ui/relative-time'
import { findGranted } from '@/lib/portal/access/decide'
import { mayRun } from '@/lib/portal/access/roles'
import { findBatchKind } from '@/lib/portal/batches/kinds'
import { type BatchView, findBatch } from '@/lib/portal/batches/view'
import { type Actor, requireActor } from '@/lib/portal/identity/actor'
import { BatchPage } from './batch-page'

type Props = { params: Promise<{ batchId: string }> }

const findPageBatch = cache(async (batchId: string) => {
  const actor = await requireActor()
  const batch = await findBatch(actor, batchId)
  return batch ? { actor, batch } : notFound()
})

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { batch } = await findPageBatch((await params).batchId)
  return { title: batch.title }
}

export default async function Page({ params }: Props) {
  const { actor, batch } = await findPageBatch((await params).batchId)
  return (
    <>
      <PageHead
        trail={[{ href: '/jobs', name: 'Jobs' }]}
        title={batch.title}
        facts={
          <span className="text-small text-muted">
            Started <RelativeTime at={batch.startedAt} /> by {batch.startedBy || 'a former member'}
          </span>
        }
      />
      <PageBody>
        <BatchPage key={batch.id} first={batch} mayStop={await mayRunAll(actor, batch)} />
      </PageBody>
    </>
  )
}

/** Stopping takes the right to what the batch does on all that is still there. */
async function mayRunAll(actor: Actor, { operation, targets }: BatchView): Promise<boolean> {
  const kind = findBatchKind(operation)
  if (!kind || !mayRun(actor.role, 'change')) return false
  const ids = new Set(targets.flatMap(({ siteId, serverId }) => (kind.targets === 'site' ? siteId : serverId) ?? []))
  return (await findGranted(actor, kind.operation, kind.targets, [...ids])).size === ids.size
}
