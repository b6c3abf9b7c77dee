import { SiteStateChip } from '@/app/_shared/sites/site-cells'
import { endsSoon, formatDaysLeft, isExpired } from '@/app/_shared/sites/site-state'
import { countOf } from '@/app/_ui/count'
import { Link } from '@/app/_ui/page-link'
import { RelativeTime } from '@/app/_ui/relative-time'
import { Card, Section } from '@/app/_ui/section'
import type { Actor } from '@/lib/portal/identity/actor'
import { readNewestBackups } from '@/lib/portal/jobs/newest-backups'
import { findKnownSites } from '@/lib/portal/subjects/sites/list'
import type { ListedSite } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'

const shown = 6

/** The first sites of a server, those with a problem before the others. Calls no service. */
export async function ServerSites({ actor, serverId }: { actor: Actor; serverId: string }) {
  const now = Date.now()
  const [known, backups] = await Promise.all([findKnownSites(actor), readNewestBackups(actor, now)])
  const own = (known?.sites ?? []).filter((site) => site.serverId === serverId)
  if (own.length === 0) return null
  const rankOf = (site: ListedSite) => (hasProblem(site, now) ? 0 : 1)
  const first = own.toSorted((a, b) => rankOf(a) - rankOf(b) || a.domain.localeCompare(b.domain, 'en')).slice(0, shown)
  const backup = backups.get(serverId)
  return (
    <Section title="Sites" count={own.length} aside={<All serverId={serverId} count={own.length} />}>
      <Card>
        <ul className="divide-y divide-line">
          {first.map((site) => (
            <SiteLine key={site.id} site={site} now={now} />
          ))}
        </ul>
      </Card>
      {backup ? (
        <p className="text-small text-muted">
          {backup.doneAt === null ? (
            'No nightly backup has succeeded in the last 7 days.'
          ) : (
            <>
              Last nightly backup <RelativeTime at={new Date(backup.doneAt).toISOString()} />.
            </>
          )}
        </p>
      ) : null}
    </Section>
  )
}

const hasProblem = ({ state, ssl, expires }: ListedSite, now: number): boolean =>
  state === 'down' || state === 'failed' || (ssl === 'on' && endsSoon(expires, now))

function SiteLine({ site, now }: { site: ListedSite; now: number }) {
  const { id, domain, state, ssl, expires } = site
  return (
    <li className="flex min-h-12 items-center gap-x-3 px-4 py-1.5">
      <span className="min-w-0 flex-1">
        <Link
          href={`/sites/${id}`}
          className="inline-flex min-h-6 max-w-full items-center rounded-control font-semibold wrap-anywhere text-accent hover:text-accent-hover hover:underline"
        >
          {toReadableDomain(domain)}
        </Link>
        <span className="block text-small text-muted">{describeCertificate({ ssl, expires }, now)}</span>
      </span>
      <SiteStateChip state={state} />
    </li>
  )
}

function describeCertificate({ ssl, expires }: Pick<ListedSite, 'ssl' | 'expires'>, now: number): string {
  if (ssl === '') return ''
  if (ssl !== 'on' || expires === '') return ssl === 'on' ? 'SSL is on' : 'No SSL'
  return isExpired(expires, now)
    ? `Certificate: ${formatDaysLeft(expires, now).toLowerCase()}`
    : `Certificate: ${formatDaysLeft(expires, now)}`
}

const All = ({ serverId, count }: { serverId: string; count: number }) => (
  <Link
    href={`/servers/${serverId}/sites`}
    className="inline-flex min-h-6 items-center rounded-control text-small text-accent underline hover:text-accent-hover"
  >
    {count > shown ? `All ${countOf(count, 'site')}` : 'View sites'}
  </Link>
)
