import { isExpired } from '@/app/_shared/sites/site-state'
import { ButtonLink } from '@/app/_ui/button'
import { Notice } from '@/app/_ui/notice'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'

type Step = { tone: 'warn' | 'danger' | 'info'; title: string; reason: string; href: string; label: string }

/** The one thing that should be done first, or nothing. may: change the site. */
export function NextStep({ site, state, may }: { site: SiteRow; state: string; may: boolean }) {
  const step = may && site.deletingJobId === null ? findStep(site, state, Date.now()) : null
  if (step === null) return null
  return (
    <Notice tone={step.tone} title={step.title} action={<ButtonLink href={step.href}>{step.label}</ButtonLink>}>
      {step.reason}
    </Notice>
  )
}

/** What keeps visitors away comes first, then what keeps them from reaching the site safely. */
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
      title: 'Visitors do not reach this server.',
      reason: 'The domain points to another address. Set its A record as expected below.',
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
      title: 'Switch on SSL.',
      reason: 'The domain points here, so a certificate can be issued.',
      href: `${base}/ssl`,
      label: 'Switch on SSL',
    }
  }
  return null
}
