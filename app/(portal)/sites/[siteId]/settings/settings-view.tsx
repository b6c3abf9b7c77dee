'use client'

import type { SubjectViewProps } from '@/app/_shared/frame/subject-page'
import { ReadError } from '@/app/_shared/reads/read-error'
import { useOperation } from '@/app/_shared/reads/use-read'
import { ageOf } from '@/app/_shared/sites/hsts'
import { NewestChange } from '@/app/_shared/sites/newest-change'
import { useSiteChange } from '@/app/_shared/sites/use-site-change'
import { useTimeZone } from '@/app/_ui/clock'
import { Facts } from '@/app/_ui/facts'
import { Notice } from '@/app/_ui/notice'
import { Card, Section } from '@/app/_ui/section'
import { timeFormat } from '@/app/_ui/time-in-zone'
import type { Answer } from '@/lib/contract/operation'
import type { sites } from '@/lib/contract/operations/sites'
import type { JobView } from '@/lib/portal/jobs/view'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { NotReported } from '../not-reported'
import { lackingExtensions, lacksPhp, SettingsForm, type SiteSettings, saveButtonId, siteSettings } from './settings-form'

/** job: the newest that changed the settings. */
type Extra = { site: SiteRow; job: JobView | null }

/** The PHP of a site, its limits, and the folder that is served. */
export function SettingsView({ id: siteId, name, first, may, extra }: SubjectViewProps<Answer<typeof sites.settings>, Extra>) {
  const read = useOperation('sites.settings', { siteId }, { first, everyMs: 60_000 })
  const change = useSiteChange('sites.configure', siteId, extra?.job ?? null, saveButtonId)
  const settings = read.data ? siteSettings(read.data) : null
  if (extra?.site.extensions === false || (read.data && !settings)) return <NotReported title="Settings" what="settings of sites" />
  return (
    <>
      <ReadError read={read} nothingRead={`The settings of ${toReadableDomain(name)} could not be read.`} />
      {change.job ? <NewestChange job={change.job} /> : null}
      {settings && lacksPhp(settings) ? <NoPhp settings={settings} may={may} /> : null}
      {settings?.mailHeldUntil ? <MailHeld settings={settings} /> : null}
      {settings === null ? null : may && extra?.site.deletingJobId === null ? (
        // A form that is rendered for other settings has their values.
        <SettingsForm key={JSON.stringify({ ...settings, mailHeldUntil: '' })} siteId={siteId} settings={settings} change={change} />
      ) : (
        <Present settings={settings} />
      )}
      {settings === null || settings.extensions.length === 0 ? null : <Extensions settings={settings} />}
    </>
  )
}

const NoPhp = ({ settings: { php }, may }: { settings: SiteSettings; may: boolean }) => (
  <Notice tone="danger" title={`PHP ${php} is no longer installed on the server, so no program of this site runs.`}>
    {may ? 'Choose another version.' : null}
  </Notice>
)

function MailHeld({ settings: { mailPerHour, mailHeldUntil } }: { settings: SiteSettings }) {
  const format = timeFormat(useTimeZone(), { timeStyle: 'short' })
  return (
    <Notice tone="warn" title={`The limit of ${mailPerHour} mails per hour was reached.`}>
      Further mail of the site’s programs is refused until {format(Date.parse(mailHeldUntil))}.
    </Notice>
  )
}

const Extensions = ({ settings }: { settings: SiteSettings }) => {
  const lacking = lackingExtensions(settings)
  return (
    <Section title="PHP extensions">
      <Card className="flex flex-col gap-2 p-4">
        <p className="break-words font-mono text-code">{settings.extensions.join(', ')}</p>
        {lacking.length === 0 ? null : (
          <p className="text-muted">
            Not installed: {lacking.join(', ')}. Where Gatehouse installed the web server, Reinstall on the server’s page adds them.
          </p>
        )}
      </Card>
    </Section>
  )
}

const Present = ({ settings: { php, upload, memory, folder, workers, waiting, mailPerHour, www, hsts } }: { settings: SiteSettings }) => (
  <Section title="Settings">
    <Facts
      facts={[
        { label: 'PHP', value: php },
        { label: 'Upload limit', value: upload && `${upload} MB` },
        { label: 'Memory limit', value: memory && `${memory} MB` },
        { label: 'Requests at the same time', value: workers },
        { label: 'Waiting requests', value: waiting },
        { label: 'Mails per hour', value: mailPerHour },
        { label: 'Folder', value: folder === '' ? 'public' : `public/${folder}`, code: true },
        ...(www
          ? [
              {
                label: `www.${toReadableDomain(www.domain)}`,
                value: www.leads ? `Redirects to ${toReadableDomain(www.domain)}` : 'Shows the site',
              },
            ]
          : []),
        ...(hsts === '' ? [] : [{ label: 'HSTS', value: ageOf(hsts).label }]),
      ]}
    />
  </Section>
)
