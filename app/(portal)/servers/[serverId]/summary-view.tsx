'use client'

import type { ReactNode } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { ApplyUpdates, nightHours, UpgradeAtNight, UpgradeButton } from '@/app/_shared/jobs/apply-updates'
import { isOffered } from '@/app/_shared/reads/read'
import { ReadError } from '@/app/_shared/reads/read-error'
import { useOperation } from '@/app/_shared/reads/use-read'
import { Button, ButtonLink } from '@/app/_ui/button'
import { type Fact, Facts } from '@/app/_ui/facts'
import { Notice } from '@/app/_ui/notice'
import { Section } from '@/app/_ui/section'
import { bytesOf } from '@/app/_ui/size'
import type { Outcome } from '@/lib/contract/problem'
import type { ServerRow } from '@/lib/portal/subjects/servers/row'
import { toReadableDomain } from '@/lib/text/idn'
import { ServerDns } from './edit-server'
import { formatFull, formatProcessor, formatSoftware, type Summary, type SummaryAnswer } from './summary'
import { Meters, type VitalsAnswer, VitalsBoard } from './vitals-board'

/** server: whether its own files are of an earlier version. atNight: whether it happens at night; undefined if the service does not offer that. */
type OutdatedSitesProps = { server: boolean; domains: readonly string[]; serverId: string; atNight: boolean | undefined; may: boolean }

/** A server, or sites of it, that an earlier version of Gatehouse set up; nothing if there are none. */
function OutdatedSites({ server, domains, serverId, atNight, may }: OutdatedSitesProps) {
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

type SummaryViewProps = {
  server: Pick<ServerRow, 'id' | 'name' | 'hostname' | 'dns' | 'hostKey'>
  first: Outcome<SummaryAnswer>
  mayEdit: boolean
  /** Days until the disk is full, according to the samples. */
  fullInDays: number | null
  /** The current usage; null if the service doesn’t offer servers.vitals. */
  vitals: Outcome<VitalsAnswer> | null
  /** Shown below the current figures: services, sites and the last changes. */
  running: ReactNode
  /** Shown between the parts above and the server's facts. */
  history: ReactNode
}

/** The server as it is now: what needs attention, its figures, what runs on it, and its facts. Read every 30 s while the page is visible. */
export function SummaryView({ server, first, mayEdit, fullInDays, vitals, running, history }: SummaryViewProps) {
  const summary = useOperation('servers.summary', { serverId: server.id }, { first, everyMs: 30_000 })
  const { data, problem } = summary
  const item = data?.item[0]
  const dns = { label: 'DNS', value: server.dns, ...(mayEdit && { control: <ServerDns server={server} /> }) }
  return (
    <>
      <ReadError read={summary} nothingRead="The last known details are below." />
      {item ? (
        <div className={problem ? 'flex flex-col gap-7 opacity-70' : 'flex flex-col gap-7'}>
          <div className="flex flex-col gap-[18px]">
            <div className="flex flex-col gap-2.5 empty:hidden">
              <Warnings item={item} fullInDays={fullInDays} serverId={server.id} mayEdit={mayEdit} />
            </div>
            {vitals && isOffered(vitals) ? (
              <VitalsBoard serverId={server.id} item={item} first={vitals} isAway={problem !== null} />
            ) : (
              <Meters item={item} />
            )}
          </div>
          {running}
          {history}
          <Section title="System">
            <Facts
              facts={[
                { label: 'Hostname', value: item.hostname, code: true },
                { label: 'IPv4', value: item.ip, code: true },
                { label: 'IPv6', value: item.ipv6, code: true },
                { label: 'Kernel', value: item.kernel, code: true },
                { label: 'Processor', value: formatProcessor(item) },
                { label: 'Uptime', value: item.uptime },
                { label: 'Software', value: formatSoftware(item) },
                { label: 'Time zone', value: item.timezone ?? '' },
                { label: 'Location', value: item.location },
                dns,
                { label: 'Host key', value: item.host_key ?? '', code: true },
                olderSites(server.id, item, mayEdit),
                { label: 'Left unchanged', value: (item.kept ?? []).map(({ reason }) => reason).join('\n') },
              ]}
            />
          </Section>
        </div>
      ) : (
        <>
          {running}
          {history}
          <Section title="Last known details">
            <Facts
              facts={[
                { label: 'Hostname', value: server.hostname, code: true },
                dns,
                { label: 'Host key', value: server.hostKey, code: true },
              ]}
            />
          </Section>
        </>
      )}
    </>
  )
}

/** What becomes of sites that an earlier version of Gatehouse set up. */
function olderSites(serverId: string, { upgrades_at_night: on }: Summary, may: boolean): Fact {
  const value = on ? `Brought up to date at night, ${nightHours}` : 'Not brought up to date automatically'
  const control = (
    <span className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-2">
      {value}
      <UpgradeAtNight serverId={serverId} on={on ?? false} may={may} />
    </span>
  )
  return { label: 'Older sites', value: on === undefined ? '' : value, ...(on !== undefined && may && { control }) }
}

// Beyond a month a trend is not a warning; the chart shows it anyway.
const warnedDays = 30

type WarningsProps = { item: Summary; fullInDays: number | null; serverId: string; mayEdit: boolean }

function Warnings({ item, fullInDays, serverId, mayEdit }: WarningsProps) {
  const foreign = useForeign()
  const security = bytesOf(item.security_updates) ?? 0
  const updates = bytesOf(item.updates) ?? 0
  const failed = item.failed_units ?? []
  const failing = item.failing_certificates ?? []
  const links = item.foreign_links ?? []
  return (
    <>
      {fullInDays !== null && fullInDays <= warnedDays ? (
        <Notice tone="warn" title={`Disk will be ${formatFull(fullInDays)} at the current rate.`} />
      ) : null}
      {item.reboot_required ? (
        <Notice tone="warn" title="Reboot required" action={mayEdit ? <Button onClick={askToReboot}>Reboot server</Button> : null}>
          Installed updates, such as a new kernel, take effect after a reboot.
        </Notice>
      ) : null}
      {failed.length > 0 ? (
        <Notice
          tone="danger"
          title={failed.length === 1 ? '1 service has failed.' : `${failed.length} services have failed.`}
          action={
            failed.includes('gatehouse-backup.service') ? <ButtonLink href={`/servers/${serverId}/backups`}>View backups</ButtonLink> : null
          }
        >
          <span className="font-mono text-code break-words">{failed.join(', ')}</span>
        </Notice>
      ) : null}
      {failing.length > 0 ? (
        <Notice
          tone="warn"
          title={failing.length === 1 ? '1 certificate could not be renewed.' : `${failing.length} certificates could not be renewed.`}
          action={<ButtonLink href={`/servers/${serverId}/sites?ssl=on`}>View sites</ButtonLink>}
        >
          <span className="wrap-anywhere">{failing.map(toReadableDomain).join(', ')}</span>
        </Notice>
      ) : null}
      {links.length > 0 ? (
        <Notice
          tone="warn"
          title={links.length === 1 ? '1 link in a site belongs to another user.' : `${links.length} links in sites belong to other users.`}
        >
          Programs of the site could lead such a link to files of others. Delete it, or let the site’s user make it again:{' '}
          <span className="font-mono text-code wrap-anywhere">{links.join(', ')}</span>
        </Notice>
      ) : null}
      <OutdatedSites
        server={item.outdated_server ?? false}
        domains={item.outdated_sites ?? []}
        serverId={serverId}
        atNight={item.upgrades_at_night}
        may={mayEdit}
      />
      {security > 0 ? (
        <Notice
          tone="warn"
          title={security === 1 ? '1 security update is waiting.' : `${security} security updates are waiting.`}
          action={foreign ? null : <ApplyUpdates serverId={serverId} may={mayEdit} />}
        >
          {foreign ? null : 'Installed automatically every day.'}
        </Notice>
      ) : updates > 0 && !foreign ? (
        <Notice
          tone="info"
          title={updates === 1 ? '1 update is waiting.' : `${updates} updates are waiting.`}
          action={<ApplyUpdates serverId={serverId} may={mayEdit} />}
        />
      ) : null}
    </>
  )
}

/** The menu of the server has the dialog. */
const askToReboot = (): void => document.getElementById('begin-reboot')?.click()
