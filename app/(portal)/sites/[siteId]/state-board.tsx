'use client'

import type { ReactNode } from 'react'
import { useOperation } from '@/app/_shared/reads/use-read'
import { SiteStateChip } from '@/app/_shared/sites/site-cells'
import { formatDaysLeft, isExpired, siteChipOf } from '@/app/_shared/sites/site-state'
import { ButtonLink } from '@/app/_ui/button'
import { useDrawnNow } from '@/app/_ui/clock'
import { Notice } from '@/app/_ui/notice'
import { Link } from '@/app/_ui/page-link'
import { RelativeTime } from '@/app/_ui/relative-time'
import { Card } from '@/app/_ui/section'
import type { Problem } from '@/lib/contract/problem'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import type { Traffic } from './traffic-chart'

/** What the reader may read of the site, besides its overview. */
export type Seen = { app: boolean; backups: boolean; traffic: boolean; ssl: boolean }

type StateBoardProps = { site: SiteRow; state: string; traffic: Traffic | null; seen: Seen; may: boolean }

/** The state of the site, its certificate, newest backup and app, and what to do next. */
export function StateBoard({ site, state, traffic, seen, may }: StateBoardProps) {
  const now = useDrawnNow(60_000)
  const base = `/sites/${site.id}`
  return (
    <div className="flex flex-col gap-2.5">
      <NextStep site={site} state={state} may={may} />
      <Card className="overflow-hidden">
        <div className="grid grid-cols-2 gap-px bg-line desktop:grid-cols-4 *:bg-surface">
          <Cell label="State" value={siteChipOf(state) ? <SiteStateChip state={state} /> : 'Not reported'}>
            {describeAnswer(state, traffic)}
          </Cell>
          <Cell label="Certificate" value={certificateValue(site, now)}>
            {seen.ssl ? <More href={`${base}/ssl`} label="View SSL" /> : null}
          </Cell>
          {seen.backups ? <BackupCell siteId={site.id} href={`${base}/backups`} /> : null}
          {seen.app ? <AppCell siteId={site.id} href={`${base}/app`} /> : null}
        </div>
      </Card>
    </div>
  )
}

/** How the site answered its server's own request: why it is down, or how fast it is. */
export function describeAnswer(state: string, traffic: Traffic | null): string {
  const { status, first_byte_ms: ms } = traffic ?? {}
  if (status === 0) return 'Its web server does not answer.'
  if (status !== undefined && status >= 500) return `It answers with error ${status}.`
  if (state === 'down') return 'Its web server does not answer for the domain.'
  return status !== undefined && ms !== undefined ? `First byte after ${ms} ms, measured on the server` : ''
}

function certificateValue({ ssl, expires }: SiteRow, now: number): string {
  if (ssl === '') return 'Not reported'
  if (ssl !== 'on') return 'No SSL'
  return expires === '' ? 'On' : formatDaysLeft(expires, now)
}

function BackupCell({ siteId, href }: { siteId: string; href: string }) {
  const { data, problem } = useOperation('backups.list', { siteId }, { everyMs: 300_000 })
  const newest = data?.items[0]
  return (
    <Cell label="Last backup" value={newest ? describeMoment(newest) : data ? 'None yet' : waitingOr(problem)}>
      {newest?.proven ? 'Verified. ' : ''}
      <More href={href} label="View backups" />
    </Cell>
  )
}

const describeMoment = ({ created_at: at, date }: { created_at?: string | undefined; date: string }): ReactNode =>
  at && !Number.isNaN(Date.parse(at)) ? <RelativeTime at={at} /> : date

function AppCell({ siteId, href }: { siteId: string; href: string }) {
  const { data, problem } = useOperation('apps.get', { siteId }, { everyMs: 300_000 })
  const app = data?.item[0].app
  return (
    <Cell label="App" value={app ? [app.name || 'None', app.version].filter(Boolean).join(' ') : waitingOr(problem)}>
      {app?.update ? `${app.update} is available. ` : ''}
      <More href={href} label="View app" />
    </Cell>
  )
}

const waitingOr = (problem: Problem | null): string => (problem ? 'Unknown' : 'Checking')

/** As high while its value is loading. */
const Cell = ({ label, value, children }: { label: string; value: ReactNode; children: ReactNode }) => (
  <div className="flex min-h-[92px] min-w-0 flex-col gap-0.5 px-4 py-3.5">
    <p className="text-small text-muted">{label}</p>
    <p className="flex min-h-6 items-center text-section font-semibold break-words">{value}</p>
    <p className="text-small break-words text-muted">{children}</p>
  </div>
)

const More = ({ href, label }: { href: string; label: string }) => (
  <Link href={href} className="inline-flex min-h-6 items-center rounded-control text-accent underline hover:text-accent-hover">
    {label}
  </Link>
)

type Step = { tone: 'warn' | 'danger' | 'info'; title: string; reason: string; href: string; label: string }

/** The most urgent step, or nothing. may: whether the reader may change the site. */
function NextStep({ site, state, may }: { site: SiteRow; state: string; may: boolean }) {
  const step = may && site.deletingJobId === null ? findStep(site, state, Date.now()) : null
  if (step === null) return null
  return (
    <Notice tone={step.tone} title={step.title} action={<ButtonLink href={step.href}>{step.label}</ButtonLink>}>
      {step.reason}
    </Notice>
  )
}

/** The most urgent comes first: what keeps visitors away, then what keeps them from reaching the site safely. */
export function findStep({ id, ssl, expires, points, extensions }: SiteRow, state: string, now: number): Step | null {
  const base = `/sites/${id}`
  if (state === 'down' && extensions) {
    return {
      tone: 'danger',
      title: 'The site is down.',
      reason: 'Its error log usually says why.',
      href: `${base}/logs?log=error`,
      label: 'View error log',
    }
  }
  if (points === 'no') {
    return {
      tone: 'warn',
      title: 'The domain points to another address.',
      reason: 'Visitors don’t reach this server. Set the A record as shown below.',
      href: '#dns',
      label: 'View DNS',
    }
  }
  if (ssl === 'on' && expires !== '' && isExpired(expires, now)) {
    return {
      tone: 'danger',
      title: 'The certificate has expired.',
      reason: 'Browsers warn visitors of this site.',
      href: `${base}/ssl`,
      label: 'View SSL',
    }
  }
  if (ssl === 'off' && points === 'yes') {
    return {
      tone: 'info',
      title: 'SSL is off.',
      reason: 'The domain points here, so a certificate can be issued.',
      href: `${base}/ssl`,
      label: 'Turn on SSL',
    }
  }
  return null
}
