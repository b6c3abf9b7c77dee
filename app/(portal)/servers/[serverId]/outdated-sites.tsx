import { nightHours, UpgradeAtNight, UpgradeButton } from '@/app/_shared/jobs/upgrade-at-night'
import { Notice } from '@/app/_ui/notice'
import { toReadableDomain } from '@/lib/text/idn'

/** server: whether its own files are of an earlier version. atNight: whether it happens at night; undefined if the service does not offer that. */
type OutdatedSitesProps = { server: boolean; domains: readonly string[]; serverId: string; atNight: boolean | undefined; may: boolean }

/** A server, or sites of it, that an earlier version of Gatehouse set up; nothing if there are none. */
export function OutdatedSites({ server, domains, serverId, atNight, may }: OutdatedSitesProps) {
  if (domains.length === 0 && !server) return null
  return (
    <Notice
      tone="info"
      title={titleOf(domains.length)}
      action={
        <span className="flex flex-wrap gap-2">
          <UpgradeButton serverId={serverId} may={may} />
          {atNight === false ? <UpgradeAtNight serverId={serverId} on={false} may={may} /> : null}
        </span>
      }
    >
      {domains.length === 0 ? (
        <p>Bringing it up to date renews its nightly backup and other files that Gatehouse put there. No site is touched.</p>
      ) : (
        <>
          <p className="wrap-anywhere">{domains.map(toReadableDomain).join(', ')}</p>
          <p className="mt-1.5">{explainSites(domains.length === 1)}</p>
        </>
      )}
      {atNight ? (
        <p className="mt-1.5">{`Gatehouse does it at night, ${nightHours}; a server where it was tried is left alone for a week.`}</p>
      ) : null}
    </Notice>
  )
}

function titleOf(sites: number): string {
  if (sites === 0) return 'This server was set up by an earlier version of Gatehouse.'
  return `${sites === 1 ? '1 site was' : `${sites} sites were`} set up by an earlier version of Gatehouse.`
}

const explainSites = (one: boolean): string =>
  `Bringing ${one ? 'it' : 'them'} up to date renews units, settings and folders, and restarts PHP of ${one ? 'the site' : 'each site'}. ` +
  'A site that then answers otherwise than before gets its former settings back.'
