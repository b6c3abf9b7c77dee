'use client'

import { useState } from 'react'
import { ActionForm } from '@/app/_shared/forms/action-form'
import { limitsOf } from '@/app/_shared/forms/field-limits'
import { createPassword } from '@/app/_shared/passwords/generated-password'
import { NewPasswordField } from '@/app/_shared/passwords/new-password-field'
import type { AnyRead } from '@/app/_shared/reads/read-address'
import { useSettled } from '@/app/_shared/reads/use-settled'
import { Button, ButtonLink } from '@/app/_ui/button'
import { CopyButton } from '@/app/_ui/copy-button'
import { Field } from '@/app/_ui/field'
import { Input } from '@/app/_ui/input'
import { domain as domainLimits } from '@/lib/contract/fields'
import type { SiteHost } from '@/lib/portal/subjects/sites/hosts'
import { toAsciiDomain } from '@/lib/text/idn'
import { createSite } from '../actions'
import { DomainCheck } from './domain-check'
import { explainDomain } from './explain-domain'
import { HostField } from './host-field'
import { RestoredBackup } from './restored-backup'

export type SiteDraft = { domain: string; serverId: string; password: string }

type AddSiteFormProps = {
  hosts: readonly SiteHost[]
  /** The last backup of a deleted site, which is restored into the new one; empty for an empty site. */
  backup: string
  /** password null: not generated yet. */
  start: Omit<SiteDraft, 'password'> & { password: string | null }
  refetch: readonly AnyRead[]
  onStarted: (draft: SiteDraft, jobId: string) => void
}

// So that not each key is looked up.
const settledMs = 600

const plain = { required: true, autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const

/** Domain, server and password. Creating is a job, which begins once the form is accepted. */
export function AddSiteForm({ hosts, backup, start, refetch, onStarted }: AddSiteFormProps) {
  const [domain, setDomain] = useState(start.domain)
  const [serverId, setServerId] = useState(start.serverId)
  const [password, setPassword] = useState(() => start.password ?? createPassword())
  const settled = useSettled(domain.trim(), settledMs)
  const host = hosts.find(({ id }) => id === serverId)
  return (
    <ActionForm
      action={createSite}
      refetch={refetch}
      onDone={({ jobId }) => {
        if (jobId !== undefined) onStarted({ domain: domain.trim(), serverId, password }, jobId)
      }}
      className="flex max-w-[640px] flex-col gap-6"
    >
      {(pending) => (
        <>
          {backup === '' ? null : (
            <>
              <input type="hidden" name="backup" value={backup} />
              <RestoredBackup serverId={serverId} name={backup} />
            </>
          )}
          <Field name="domain" label="Domain" hint={explainDomain(domain) ?? domainHint(backup)}>
            {(control) => (
              <Input
                {...control}
                {...limitsOf(domainLimits)}
                {...plain}
                inputMode="url"
                placeholder="example.org"
                value={domain}
                onChange={(event) => setDomain(event.target.value)}
              />
            )}
          </Field>
          {host && !host.sandbox && toAsciiDomain(settled)?.includes('.') ? <DomainCheck domain={settled} host={host} /> : null}
          {host?.extensions && backup === '' && !/^\s*www\./i.test(domain) ? <Www domain={domain.trim()} /> : null}
          {backup === '' ? (
            <HostField hosts={hosts} chosen={serverId} onChoose={setServerId} />
          ) : (
            <input type="hidden" name="serverId" value={serverId} />
          )}
          <div className="flex items-start gap-2">
            <div className="min-w-0 flex-1">
              <NewPasswordField name="password" what="the site’s own user" value={password} onChange={setPassword} />
            </div>
            <CopyButton value={password} what="the password" className="mt-6" />
          </div>
          <div className="flex flex-wrap items-center gap-3">
            <Button type="submit" variant="primary" disabled={pending}>
              {pending ? 'Starting…' : backup === '' ? 'Add site' : 'Restore site'}
            </Button>
            <ButtonLink href="/sites">Cancel</ButtonLink>
          </div>
        </>
      )}
    </ActionForm>
  )
}

const domainHint = (backup: string): string =>
  backup === ''
    ? 'Without www, such as example.org.'
    : 'With another domain than before, the addresses in its files and tables are changed, and aliases do not come back.'

/** Only services that announce extensions know these. */
function Www({ domain }: { domain: string }) {
  const [answers, setAnswers] = useState(true)
  const name = domain === '' ? 'example.org' : domain
  return (
    <fieldset className="-mt-2 flex flex-col gap-1">
      <legend className="sr-only">The name with www</legend>
      <label className="flex min-h-6 items-center gap-2">
        <input
          type="checkbox"
          name="www"
          value="1"
          checked={answers}
          onChange={(event) => setAnswers(event.target.checked)}
          className="size-4 shrink-0 accent-accent"
        />
        <span className="min-w-0 break-words">
          Also answer for <span className="font-semibold">www.{name}</span>
        </span>
      </label>
      {answers ? (
        <label className="ml-6 flex min-h-6 items-center gap-2">
          <input type="checkbox" name="www_redirect" value="1" defaultChecked className="size-4 shrink-0 accent-accent" />
          <span className="min-w-0 break-words">
            Redirect it to <span className="font-semibold">{name}</span>
          </span>
        </label>
      ) : null}
    </fieldset>
  )
}
