'use client'

import { ActionForm } from '@/app/_shared/forms/action-form'
import { limitsOf } from '@/app/_shared/forms/field-limits'
import { type Age, ageOf, hstsAges } from '@/app/_shared/sites/hsts'
import type { useSiteChange } from '@/app/_shared/sites/use-site-change'
import { Button } from '@/app/_ui/button'
import { Field } from '@/app/_ui/field'
import { Input, Select } from '@/app/_ui/input'
import { Card, Section } from '@/app/_ui/section'
import { type Limits, memoryLimit, siteFolder, siteMailPerHour, siteWaiting, siteWorkers, uploadLimit } from '@/lib/contract/fields'
import type { Answer } from '@/lib/contract/operation'
import type { sites } from '@/lib/contract/operations/sites'
import { toReadableDomain } from '@/lib/text/idn'
import { configureSite } from '../actions'

/** The settings as a service with extensions reports them. A limit or number is empty if it is not reported, or no plain number. */
export type SiteSettings = {
  php: string
  versions: readonly string[]
  upload: string
  memory: string
  folder: string
  workers: string
  waiting: string
  mailPerHour: string
  /** ISO 8601 while the limit of mail is reached, else empty. */
  mailHeldUntil: string
  extensions: readonly string[]
  /** Whether the domain's name with www, if it is an alias, leads to the domain; null if it is none, or is not reported. */
  www: { domain: string; leads: boolean } | null
  /** For how many seconds browsers insist on https; empty if that is not reported, or SSL is off. */
  hsts: string
}

/** Null if the service does not report them. */
export function siteSettings({ item: [item] }: Answer<typeof sites.settings>): SiteSettings | null {
  const {
    php,
    php_versions: versions,
    upload_limit: upload = '',
    memory_limit: memory = '',
    folder = '',
    workers = '',
    waiting = '',
    mail_per_hour: mailPerHour = '',
    mail_held_until: held = '',
  } = item
  if (php === undefined || versions === undefined) return null
  const { domain, names = [], ssl, www_redirect: leads, hsts = '', php_extensions: extensions = [] } = item
  const www = leads !== undefined && names.includes(`www.${domain}`) ? { domain, leads } : null
  const mailHeldUntil = Number.isNaN(Date.parse(held)) ? '' : held
  const numbers = { workers, waiting, mailPerHour, mailHeldUntil }
  return { php, versions, upload, memory, folder, ...numbers, extensions, www, hsts: ssl ? hsts : '' }
}

/** What common apps need of PHP, and an install brings. */
const wanted = ['bcmath', 'curl', 'gd', 'imagick', 'intl', 'mbstring', 'redis', 'xml', 'zip']

/** Those that a service which reports extensions does not name. */
export const lackingExtensions = ({ extensions }: SiteSettings): string[] =>
  extensions.length === 0 ? [] : wanted.filter((name) => !extensions.includes(name))

/** Whether no program of the site runs, because its version of PHP was removed: an upgrade of Debian does that. */
export const lacksPhp = ({ php, versions }: SiteSettings): boolean => !versions.includes(php)

type SettingsFormProps = { siteId: string; settings: SiteSettings; change: ReturnType<typeof useSiteChange> }

export const saveButtonId = 'save-settings'

/** All settings at once: the server makes them one change, and takes it back if the site does not run with them. */
export function SettingsForm({ siteId, settings, change: { busy, starting, during, follow } }: SettingsFormProps) {
  const { upload, memory, folder, workers, waiting, mailPerHour } = settings
  return (
    <Section title="Settings">
      <Card className="p-4">
        <ActionForm
          action={configureSite}
          refetch={starting}
          onDone={(started) => void during(() => follow(started, 'The settings were saved.'))}
          className="flex max-w-[520px] flex-col gap-4"
        >
          {(pending) => (
            <>
              <input type="hidden" name="siteId" value={siteId} />
              <ChooseVersion settings={settings} />
              <Amount
                name="upload_limit"
                label="Upload limit"
                limits={uploadLimit}
                value={upload}
                unit="MB"
                hint="The largest file that a program accepts."
              />
              <Amount
                name="memory_limit"
                label="Memory limit"
                limits={memoryLimit}
                value={memory}
                unit="MB"
                hint="What one request may use. All together may use at least 1 GB."
              />
              {workers === '' && waiting === '' ? null : (
                <>
                  <Amount
                    name="workers"
                    label="Requests at the same time"
                    limits={siteWorkers}
                    value={workers}
                    hint="As many programs of the site run at once. Each needs memory."
                  />
                  <Amount
                    name="waiting"
                    label="Waiting requests"
                    limits={siteWaiting}
                    value={waiting}
                    hint="So many more wait until one of them ends. Others get the error 503 at once."
                  />
                </>
              )}
              {mailPerHour === '' ? null : (
                <Amount
                  name="mail_per_hour"
                  label="Mails per hour"
                  limits={siteMailPerHour}
                  value={mailPerHour}
                  hint="By PHP’s mail function or sendmail, counted for each recipient. More is refused."
                />
              )}
              <Field name="folder" label="Served folder" hint="Inside public, such as web. Leave it empty to serve public itself.">
                {(control) => (
                  <span className="flex items-center gap-1.5">
                    <span className="font-mono text-code text-muted">public/</span>
                    <Input {...control} {...plain} {...limitsOf(siteFolder)} defaultValue={folder} className="min-w-0 flex-1" />
                  </span>
                )}
              </Field>
              <NameFields settings={settings} />
              <div>
                <Button id={saveButtonId} type="submit" variant="primary" disabled={pending || busy}>
                  {pending || busy ? 'Saving…' : 'Save settings'}
                </Button>
              </div>
            </>
          )}
        </ActionForm>
      </Card>
    </Section>
  )
}

const plain = { code: true, autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const

/** The present version is offered even if it is not installed, so that nothing is changed unseen. */
function ChooseVersion({ settings }: { settings: SiteSettings }) {
  const { php, versions } = settings
  const lacking = lacksPhp(settings)
  return (
    <Field name="php" label="PHP version" hint={versions.length > 1 || lacking ? undefined : 'The only version on this server.'}>
      {(control) => (
        <span className="w-44">
          <Select {...control} defaultValue={php}>
            {lacking ? <option value={php}>{php} (not installed)</option> : null}
            {versions.map((version) => (
              <option key={version} value={version}>
                {version}
              </option>
            ))}
          </Select>
        </span>
      )}
    </Field>
  )
}

type AmountProps = { name: string; label: string; hint: string; limits: Limits; value: string; unit?: string }

const Amount = ({ name, label, hint, limits, value, unit }: AmountProps) => (
  <Field name={name} label={label} hint={hint}>
    {(control) => (
      <span className="flex items-center gap-1.5">
        <span className="w-24">
          <Input
            {...control}
            {...limitsOf(limits)}
            required={unit !== undefined || value !== ''}
            inputMode="numeric"
            autoComplete="off"
            defaultValue={value}
          />
        </span>
        {unit === undefined ? null : <span className="text-muted">{unit}</span>}
      </span>
    )}
  </Field>
)

/** Where the name with www leads, and whether browsers insist on https. What the service does not report has no field. */
function NameFields({ settings: { www, hsts } }: { settings: SiteSettings }) {
  return (
    <>
      {www ? <Www domain={toReadableDomain(www.domain)} leads={www.leads} /> : null}
      {hsts === '' ? null : <Hsts seconds={hsts} />}
    </>
  )
}

const Www = ({ domain, leads }: { domain: string; leads: boolean }) => (
  <Field name="www_redirect" label={`www.${domain}`}>
    {(control) => (
      <Select {...control} defaultValue={leads ? '1' : '0'}>
        <option value="1">Redirects to {domain}</option>
        <option value="0">Shows the site</option>
      </Select>
    )}
  </Field>
)

const Hsts = ({ seconds }: { seconds: string }) => {
  const ages: readonly Age[] = hstsAges(seconds)
  return (
    <Field
      name="hsts"
      label="HSTS"
      hint="Browsers that came by https use nothing else for so long, even if SSL is turned off. Begin with 5 minutes; once all pages work by https, choose more."
    >
      {(control) => (
        <span className="w-44">
          <Select {...control} defaultValue={ageOf(seconds).seconds}>
            {ages.map((age) => (
              <option key={age.seconds} value={age.seconds}>
                {age.label}
              </option>
            ))}
          </Select>
        </span>
      )}
    </Field>
  )
}
