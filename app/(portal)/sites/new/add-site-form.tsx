'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ActionForm } from '@/app/_shared/forms/action-form'
import { limitsOf } from '@/app/_shared/forms/field-limits'
import { createPassword, NewPasswordField } from '@/app/_shared/passwords/new-password-field'
import { type AnyRead, portalRead } from '@/app/_shared/reads/read-address'
import { useOperation, useRead } from '@/app/_shared/reads/use-read'
import { useSettled } from '@/app/_shared/reads/use-settled'
import { keepNewSite } from '@/app/_shared/sites/new-sites'
import { TakenAliases } from '@/app/_shared/sites/taken-aliases'
import { Button, ButtonLink } from '@/app/_ui/button'
import { CopyButton } from '@/app/_ui/copy-button'
import { Field } from '@/app/_ui/field'
import { Input } from '@/app/_ui/input'
import { Notice } from '@/app/_ui/notice'
import { RelativeTime } from '@/app/_ui/relative-time'
import { SearchSelect } from '@/app/_ui/search-select'
import { Card } from '@/app/_ui/section'
import { bytesOf, formatSize } from '@/app/_ui/size'
import { domain as domainLimits } from '@/lib/contract/fields'
import type { SiteHost } from '@/lib/portal/subjects/sites/hosts'
import { toAsciiDomain, toReadableDomain } from '@/lib/text/idn'
import { createSite } from '../actions'

type HostFieldProps = { hosts: readonly SiteHost[]; chosen: string; onChoose: (id: string) => void }

/** The server of the new site. */
function HostField({ hosts, chosen, onChoose }: HostFieldProps) {
  const hint = (
    <>
      {chosen === '' ? null : <HostRoom serverId={chosen} />}
      Servers that are not installed yet are not listed.
    </>
  )
  return (
    <Field name="serverId" label="Server" hint={hint}>
      {(control) => <SearchSelect {...control} choices={choicesOf(hosts)} value={chosen} onChange={onChoose} />}
    </Field>
  )
}

const choicesOf = (hosts: readonly SiteHost[]) =>
  hosts.map(({ id, name, address }) => ({ value: id, label: name, note: address === name ? '' : address }))

const roomEveryMs = 60_000

/** The free space of the chosen server, as its service reports it; nothing while that is not known. */
function HostRoom({ serverId }: { serverId: string }) {
  const { data } = useOperation('servers.summary', { serverId }, { everyMs: roomEveryMs })
  const { disk_free: free = '', disk_total: total = '' } = data?.item[0] ?? {}
  if (free === '') return null
  return (
    <span>
      {formatSize(free)} free{bytesOf(total) === null ? '' : ` of ${formatSize(total)}`}.{' '}
    </span>
  )
}

type SiteDraft = { domain: string; serverId: string; password: string }

type AddSiteFormProps = {
  hosts: readonly SiteHost[]
  /** The last backup of a deleted site, which is restored into the new one; empty for an empty site. */
  backup: string
  /** password null: not generated yet. */
  start: Omit<SiteDraft, 'password'> & { password: string | null }
  refetch: readonly AnyRead[]
  onStarted: (draft: SiteDraft, jobId: string) => void
}

// How long the domain is unchanged before it is looked up.
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

/** A domain of another script in its other form; null for one in plain letters, and for text that is no domain yet. */
function explainDomain(typed: string): string | null {
  const ascii = toAsciiDomain(typed)
  if (ascii === null) return null
  const given = typed.trim().toLowerCase()
  if (ascii !== given) return `In the DNS: ${ascii}`
  const readable = toReadableDomain(ascii)
  return readable === ascii ? null : `Reads as ${readable}`
}

type DomainCheckProps = { domain: string; host: { name: string; address: string } }

// The DNS record may be changed while the form is open.
const everyMs = 15_000

/** Where the domain leads at present; nothing while that is not known. The site can be created in any case. */
function DomainCheck({ domain, host }: DomainCheckProps) {
  const { data } = useRead(portalRead('/api/domain-check', { domain }), { everyMs })
  return (
    <p aria-live="polite" className="-mt-4 text-small text-muted break-words empty:hidden">
      {data?.addresses ? explainAddresses(domain, data.addresses, host) : null}
    </p>
  )
}

/** Where a domain leads, compared with the address of a server. host.address may be a name, which is not compared. */
export function explainAddresses(domain: string, addresses: readonly string[], host: { name: string; address: string }): string {
  const known = /^[\d.]+$|:/.test(host.address)
  const target = known ? `${host.name} (${host.address})` : host.name
  if (addresses.length === 0)
    return `${domain} isn’t in the DNS yet. Add an A record that points to ${target}; you can create the site first.`
  const found = addresses.join(', ')
  if (!known) return `${domain} points to ${found}.`
  const strays = addresses.filter((address) => address !== host.address)
  if (strays.length === 0) return `${domain} points to ${target}.`
  if (strays.length < addresses.length)
    return `${domain} points to ${target}, and also to ${strays.join(', ')}. Visitors may end up there, and SSL needs the site at each of them.`
  return `${domain} points to ${found}, not to ${target}. That is right only behind a proxy such as a CDN.`
}

/** The last backup that becomes a site: what it has, what it lacks, and that it is gone if so. */
function RestoredBackup({ serverId, name }: { serverId: string; name: string }) {
  const { data } = useOperation('lastBackups.list', { serverId }, { everyMs: 60_000 })
  const backup = data?.items.find((each) => each.name === name)
  if (data && !backup) return <Notice tone="danger" title="This last backup is no longer on the server." />
  const lacks = backup?.lacks ?? []
  return (
    <Card className="flex flex-col gap-1.5 p-4">
      <p className="font-mono text-code wrap-anywhere">{name}</p>
      {backup ? (
        <p className="text-small text-muted">
          {formatSize(String(backup.size))}, {backup.created_at === undefined ? 'date unknown' : <RelativeTime at={backup.created_at} />}
          {backup.proven === false ? ', not verified' : ''}
        </p>
      ) : null}
      {lacks.length > 0 ? (
        <p className="text-small text-warn">It was made by an earlier version, which did not back up {lacks.join(' and ')}.</p>
      ) : null}
      <TakenAliases taken={backup?.taken} />
      <p className="text-small text-muted">
        Files, database and settings come back, with the database password of that time. The last line of the job names what is not
        restored.
      </p>
    </Card>
  )
}

type AddSiteProps = {
  hosts: readonly SiteHost[]
  /** From the address: a server or a domain that another page suggested, and a last backup of a deleted site, on that server. */
  given: { serverId: string; domain: string; backup: string }
}

/** The form. Then the page of the creation takes its place, and soon that of the site, so that Back does not return to an empty form. */
export function AddSite({ hosts, given }: AddSiteProps) {
  const router = useRouter()
  const first = hosts.find(({ id }) => id === given.serverId) ?? hosts[0]
  return (
    <AddSiteForm
      hosts={hosts}
      backup={first?.id === given.serverId && first.extensions ? given.backup : ''}
      start={{ domain: given.domain, serverId: first?.id ?? '', password: null }}
      refetch={[portalRead('/api/jobs'), portalRead('/api/counts')]}
      onStarted={({ domain, password }, jobId) => {
        keepNewSite(jobId, domain, password)
        router.replace(`/jobs/${jobId}`)
      }}
    />
  )
}
