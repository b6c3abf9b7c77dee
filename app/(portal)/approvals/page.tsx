import type { Metadata } from 'next'
import { Card, Section } from '@/app/_ui/section'
import { type HeldSummary, listHeld } from '@/lib/portal/approvals/view'
import { requireActor } from '@/lib/portal/identity/actor'
import { EmptyState } from '../../_ui/empty-state'
import { PageBody, PageHead } from '../../_ui/page-head'
import { Link } from '../../_ui/page-link'
import { RelativeTime } from '../../_ui/relative-time'
import { HeldStateChip } from './held-state'

export const metadata: Metadata = { title: 'Approvals' }

export default async function ApprovalsPage() {
  const requests = await listHeld(await requireActor())
  const waiting = requests.filter(({ state }) => state === 'waiting' || state === 'approved' || state === 'ready')
  const over = requests.filter((request) => !waiting.includes(request))
  return (
    <>
      <PageHead title="Approvals" />
      <PageBody>
        {requests.length === 0 ? (
          <Card>
            <EmptyState title="Nothing waits for a second person">
              <p>What the team has chosen on the page Team is listed here until another member approves it, for up to 60 minutes.</p>
            </EmptyState>
          </Card>
        ) : null}
        {waiting.length > 0 ? <Requests title="Waiting" count={waiting.length} requests={waiting} /> : null}
        {over.length > 0 ? <Requests title="Over" requests={over} /> : null}
      </PageBody>
    </>
  )
}

type RequestsProps = { title: string; count?: number; requests: readonly HeldSummary[] }

const Requests = ({ requests, ...section }: RequestsProps) => (
  <Section {...section}>
    <Card>
      <ul className="divide-y divide-line">
        {requests.map(({ id, what, state, askedBy, askedAt, own }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2.5">
            <div className="min-w-0 flex-1 basis-60">
              <Link href={`/approvals/${id}`} className="wrap-anywhere font-semibold underline hover:text-accent">
                {/* A change of access names all servers and sites; the request's own page shows them. */}
                <span className="line-clamp-3">{what}</span>
              </Link>
              <p className="text-small text-muted">
                {own ? 'You asked' : `${askedBy} asked`} <RelativeTime at={askedAt} />
              </p>
            </div>
            <HeldStateChip state={state} />
          </li>
        ))}
      </ul>
    </Card>
  </Section>
)
