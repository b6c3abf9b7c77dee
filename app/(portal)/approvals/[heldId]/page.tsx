import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache, Fragment, Suspense } from 'react'
import { Facts } from '@/app/_ui/facts'
import { Notice } from '@/app/_ui/notice'
import { PageBody, PageHead } from '@/app/_ui/page-head'
import { Link } from '@/app/_ui/page-link'
import { RelativeTime } from '@/app/_ui/relative-time'
import { Section } from '@/app/_ui/section'
import { formatSize } from '@/app/_ui/size'
import { type LiveFact, type LivePart, readLive } from '@/lib/portal/approvals/live'
import { findHeldView, type HeldView } from '@/lib/portal/approvals/view'
import { requireActor } from '@/lib/portal/identity/actor'
import { showBidiControls } from '@/lib/text/bidi'
import { HeldStateChip } from '../held-state'
import { Decide, Take } from './decide'

type Props = { params: Promise<{ heldId: string }> }

const findPageRequest = cache(async (heldId: string) => (await findHeldView(await requireActor(), heldId)) ?? notFound())

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await findPageRequest((await params).heldId)).what }
}

export default async function Page({ params }: Props) {
  const request = await findPageRequest((await params).heldId)
  return (
    <>
      <PageHead
        trail={[{ href: '/approvals', name: 'Approvals' }]}
        title={request.what}
        facts={
          <>
            <HeldStateChip state={request.state} />
            <span className="text-small text-muted">
              {request.own ? 'You asked' : `${request.askedBy} asked`} <RelativeTime at={request.askedAt} />
            </span>
          </>
        }
      />
      <PageBody>
        <Standing request={request} />
        {request.sends && request.sends.length > 0 ? (
          <Section title="What will be sent">
            <Facts facts={request.sends} />
          </Section>
        ) : null}
        {request.now.length > 0 ? (
          <Section title="What is there now">
            <Facts facts={request.now} />
          </Section>
        ) : null}
        {request.state === 'waiting' || request.state === 'approved' ? (
          <Suspense fallback={<p className="text-muted">Asking the service what is there now…</p>}>
            <LiveNow facts={readLive(await requireActor(), request.id)} />
          </Suspense>
        ) : null}
        <Section title="Digest">
          <p className="max-w-[72ch] text-muted">
            The approval is for exactly this request. It is refused if anything of it changes before it is sent.
          </p>
          <Facts facts={[{ label: 'Digest', value: request.digest, code: true }]} />
        </Section>
        {request.own && request.takenAs !== null ? <Take request={request} /> : null}
        {request.own || request.mayDecide ? <Decide request={request} /> : null}
      </PageBody>
    </>
  )
}

/** What it waits for, or what became of it. */
function Standing({ request }: { request: HeldView }) {
  const { state, sends, approvers, decidedBy, reason, problem, page, sendAt, takeUntil, takenAs, own, mayDecide } = request
  if (state === 'waiting' && sends === null) {
    return <Notice tone="danger" title="The record of this request was changed after it was asked for, so it cannot be approved." />
  }
  if (state === 'waiting' && approvers === 0) {
    return (
      <Notice
        tone="warn"
        title="No other member could approve this now. An owner can give another member the access that it needs, or, for what they asked for themselves, go without."
      />
    )
  }
  if (state === 'waiting') {
    return (
      <Notice
        tone="info"
        title={`Nothing was done yet: ${mayDecide ? 'you can approve or refuse this' : 'another member has to approve this'}.`}
      >
        It expires <RelativeTime at={request.until} />.
      </Notice>
    )
  }
  if (state === 'approved' && sendAt !== null) {
    return (
      <Notice tone="info" title={`${decidedBy} approved this. Nothing was done yet.`}>
        It is sent <RelativeTime at={sendAt} />.
      </Notice>
    )
  }
  if (takeUntil !== null) {
    const who = own ? 'you take' : 'whoever asked takes'
    const made = takenAs === 'file' ? `The file is made when ${who} it.` : `The link is made when ${who} it, once.`
    return (
      <Notice tone="info" title={`${decidedBy} approved this. ${made}`}>
        The approval expires <RelativeTime at={takeUntil} />.
      </Notice>
    )
  }
  const words = [decidedBy && state !== 'withdrawn' ? `Decided by ${decidedBy}.` : '', reason && `Reason: ${reason}`, problem ?? '']
  const text = words.filter(Boolean).join(' ')
  if (text === '' && page === null) return null
  return (
    <Notice tone={state === 'failed' ? 'danger' : 'info'} title={text || 'It was sent.'}>
      {page === null ? null : (
        <Link href={page} className="underline">
          View what it started
        </Link>
      )}
    </Notice>
  )
}

/** What the service says is there now. Nothing while the request is about something else. */
async function LiveNow({ facts }: { facts: Promise<LiveFact[]> }) {
  const read = await facts
  if (read.length === 0) return null
  return (
    <Section title="What the service says is there now">
      <Facts facts={read.map(({ label, lines }) => ({ label, value: '', control: <Lines lines={lines} /> }))} />
    </Section>
  )
}

function Lines({ lines }: { lines: readonly LivePart[][] }) {
  if (lines.length === 0) return <span className="text-muted">Not known</span>
  return (
    <ul className="min-w-0">
      {lines.map((parts) => (
        <li key={JSON.stringify(parts)} className="break-words">
          {parts.map((part, index) => (
            <Fragment key={JSON.stringify(part)}>
              {index === 0 ? null : ' '}
              <Part part={part} />
            </Fragment>
          ))}
        </li>
      ))}
    </ul>
  )
}

function Part({ part }: { part: LivePart }) {
  if ('at' in part) return <RelativeTime at={part.at} />
  return 'bytes' in part ? formatSize(part.bytes) : showBidiControls(part.text)
}
