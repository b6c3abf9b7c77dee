import type { ReactNode } from 'react'
import { ageOf } from '@/app/_shared/sites/hsts'
import { formatExpiry, isExpired } from '@/app/_shared/sites/site-state'
import { Facts } from '@/app/_ui/facts'
import { Notice } from '@/app/_ui/notice'
import { Link } from '@/app/_ui/page-link'
import { RelativeTime } from '@/app/_ui/relative-time'
import { Section } from '@/app/_ui/section'
import type { SslSettings } from './name-rows'

/** now: ms since 1970. */
type Present = { settings: SslSettings; now: number }

/** How long the certificate lasts, and what it covers. */
export function Certificate({
  settings: { ssl, expires = '', issued = '', covered = [], left_out = [], hsts },
  now,
  siteId,
  renew,
}: Present & { siteId: string; renew: ReactNode }) {
  const all = covered.length + left_out.length
  return (
    <Section title="Certificate" aside={ssl ? renew : <p className="text-small text-muted">Kept while SSL is off</p>}>
      <Facts
        facts={[
          { label: 'Expires', value: '', control: <Day at={expires} over={isExpired(expires, now)} /> },
          { label: 'Last renewed', value: '', control: issued === '' ? null : <Day at={issued} /> },
          { label: 'Names covered', value: covered.length === 0 ? '' : `${covered.length} of ${all}` },
          ...(ssl && hsts ? [{ label: 'HSTS', value: '', control: <Hsts siteId={siteId} seconds={hsts} /> }] : []),
        ]}
      />
    </Section>
  )
}

const Hsts = ({ siteId, seconds }: { siteId: string; seconds: string }) => (
  <span>
    {ageOf(seconds).label}.{' '}
    <Link
      href={`/sites/${siteId}/settings`}
      className="inline-flex min-h-6 items-center rounded-control text-accent underline hover:text-accent-hover"
    >
      Change in Settings
    </Link>
  </span>
)

/** The day, and how far away it is. A service may send something else than a time. */
const Day = ({ at, over = false }: { at: string; over?: boolean }) => (
  <span className={over ? 'text-danger' : undefined}>
    {formatExpiry(at)}
    {Number.isNaN(Date.parse(at)) ? null : (
      <>
        , <RelativeTime at={at} />
      </>
    )}
  </span>
)

/** Why SSL does not work, or soon will not. */
export function CertificateProblem({ settings: { expires = '', problem }, now }: Present) {
  if (isExpired(expires, now)) {
    return (
      <Notice tone="danger" title="The certificate has expired, so browsers warn visitors.">
        {problem}
      </Notice>
    )
  }
  return problem ? (
    <Notice tone="warn" title="The certificate could not be renewed.">
      {problem}
    </Notice>
  ) : null
}

/** Whether a new certificate could be better than the present one. */
export const mayNeedRenewal = ({ expires = '', problem, left_out = [] }: SslSettings, now: number): boolean =>
  isExpired(expires, now) || Boolean(problem) || left_out.length > 0
