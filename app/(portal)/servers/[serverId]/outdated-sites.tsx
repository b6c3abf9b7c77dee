import { toReadableDomain } from '@/lib/text/idn'
import { UpgradeButton } from '../../../_shared/jobs/upgrade-button'
import { Notice } from '../../../_ui/notice'

type OutdatedSitesProps = { domains: readonly string[]; serverId: string; may: boolean }

/** Sites that an earlier version of Gatehouse set up; nothing if there are none. */
export function OutdatedSites({ domains, serverId, may }: OutdatedSitesProps) {
  if (domains.length === 0) return null
  const one = domains.length === 1
  return (
    <Notice
      tone="info"
      title={`${one ? '1 site was' : `${domains.length} sites were`} set up by an earlier version of Gatehouse.`}
      action={<UpgradeButton serverId={serverId} may={may} />}
    >
      <p className="wrap-anywhere">{domains.map(toReadableDomain).join(', ')}</p>
      <p className="mt-1.5">
        Bringing {one ? 'it' : 'them'} up to date renews units, settings and folders, and restarts PHP of {one ? 'the site' : 'each site'}.
        A site that then answers otherwise than before gets its former settings back.
      </p>
    </Notice>
  )
}
