import { toReadableDomain } from '@/lib/text/idn'
import { nightHours, UpgradeAtNight } from '../../../_shared/jobs/upgrade-at-night'
import { UpgradeButton } from '../../../_shared/jobs/upgrade-button'
import { Notice } from '../../../_ui/notice'

/** atNight: whether it happens at night; undefined if the service does not offer that. */
type OutdatedSitesProps = { domains: readonly string[]; serverId: string; atNight: boolean | undefined; may: boolean }

/** Sites that an earlier version of Gatehouse set up; nothing if there are none. */
export function OutdatedSites({ domains, serverId, atNight, may }: OutdatedSitesProps) {
  if (domains.length === 0) return null
  const one = domains.length === 1
  return (
    <Notice
      tone="info"
      title={`${one ? '1 site was' : `${domains.length} sites were`} set up by an earlier version of Gatehouse.`}
      action={
        <span className="flex flex-wrap gap-2">
          <UpgradeButton serverId={serverId} may={may} />
          {atNight === false ? <UpgradeAtNight serverId={serverId} on={false} may={may} /> : null}
        </span>
      }
    >
      <p className="wrap-anywhere">{domains.map(toReadableDomain).join(', ')}</p>
      <p className="mt-1.5">
        Bringing {one ? 'it' : 'them'} up to date renews units, settings and folders, and restarts PHP of {one ? 'the site' : 'each site'}.
        A site that then answers otherwise than before gets its former settings back.
        {atNight ? ` Gatehouse does it at night, ${nightHours}; a server where it was tried is left alone for a week.` : null}
      </p>
    </Notice>
  )
}
