'use client'

import { type FormEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { checkForm, focusFirstError, useScriptedChecks } from '@/app/_shared/forms/action-form'
import { limitsOf } from '@/app/_shared/forms/field-limits'
import { Button, ButtonLink } from '@/app/_ui/button'
import { ChoiceCards } from '@/app/_ui/choice-cards'
import { CodeBlock } from '@/app/_ui/code-block'
import { CopyButton } from '@/app/_ui/copy-button'
import { Field } from '@/app/_ui/field'
import { FormStateContext } from '@/app/_ui/form-state'
import { Input } from '@/app/_ui/input'
import { SearchSelect } from '@/app/_ui/search-select'
import { Card } from '@/app/_ui/section'
import { Waiting } from '@/app/_ui/skeleton'
import { admissionChangesOf, admissionEnd } from '@/lib/contract/admission'
import { note, serverName } from '@/lib/contract/fields'
import { LoginFields } from '../login-fields'
import { RegistrationProblem, useRegistration } from './registration'
import { ComingBack, HeldSites } from './sites-on-server'

type Kind = 'ssh' | 'sandbox'

const kindsWith = (foreign: boolean) =>
  [
    {
      value: 'ssh',
      title: 'Your own server',
      description: foreign ? 'A server that the service below can reach.' : 'A Debian server with root or sudo access, reachable over SSH.',
    },
    { value: 'sandbox', title: 'Sandbox', description: 'A simulated server to try things out. Nothing real is touched.' },
  ] as const

/**
 * extensions: its service announces them, so it has our own providers. bundled: it is the bundled service. providers: those of its
 * servers.
 */
type Service = { id: string; label: string; extensions: boolean; bundled: boolean; providers: readonly string[] }

type AddServerFormProps = { startWith: Kind; connections: readonly Service[] }

/** One page, two steps: compare the host key, then give Gatehouse access. */
export function AddServerForm({ startWith, connections }: AddServerFormProps) {
  const simulating = connections.filter(({ extensions }) => extensions)
  const [kind, setKind] = useState<Kind>(simulating.length > 0 ? startWith : 'ssh')
  const [connectionId, setConnectionId] = useState('')
  const sandbox = kind === 'sandbox'
  const offered = sandbox ? simulating : connections
  const service = offered.find(({ id }) => id === connectionId) ?? offered[0]
  const foreign = service?.extensions === false
  const registration = useRegistration()
  const { pending, hostKey, unseen, problem, comingBack, found } = registration
  const form = useRef<HTMLFormElement>(null)
  useScriptedChecks(form)
  useEffect(() => {
    if (problem) focusFirstError(form.current)
  }, [problem])
  const state = useMemo(() => ({ pending: pending !== null, errors: problem?.fields ?? {}, values: {} }), [pending, problem])
  const ready = sandbox || hostKey !== null || unseen

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (pending || !checkForm(event.currentTarget)) return
    const filled = new FormData(event.currentTarget)
    if (sandbox) fillSandbox(filled)
    if (ready) registration.add(filled)
    else registration.ask(filled)
  }

  if (found) return <HeldSites {...found} />
  return (
    <form
      ref={form}
      onSubmit={submit}
      onInput={(event) => registration.placeEdited(new FormData(event.currentTarget))}
      aria-busy={pending !== null}
      className="flex max-w-[640px] flex-col gap-6"
    >
      <FormStateContext value={state}>
        {simulating.length > 0 ? (
          <ChoiceCards legend="What kind of server" name="kind" choices={kindsWith(foreign)} value={kind} onChange={setKind} />
        ) : null}
        <input type="hidden" name="region" value="" />
        <input type="hidden" name="type" value="" />
        <ConnectionField connections={offered} chosen={service} onChoose={setConnectionId} />
        {foreign ? <ProviderField key={service.id} known={service.providers} /> : <input type="hidden" name="provider" value={kind} />}
        {sandbox ? null : <LoginFields foreign={foreign} />}
        <div className="grid gap-4 tablet:grid-cols-2">
          <Field
            name="name"
            label="Name"
            hint={sandbox ? 'Start it with slow-, fail-, flaky- or lived- to simulate such a server.' : 'Display name, such as web-fra-01.'}
          >
            {(control) => <Input {...control} {...limitsOf(serverName)} required autoComplete="off" />}
          </Field>
          <Field name="dns" label="DNS provider" optional hint="A note about who hosts its DNS, such as Cloudflare.">
            {(control) => <Input {...control} {...limitsOf(note)} autoComplete="off" />}
          </Field>
        </div>
        {sandbox ? null : <AdmissionChanges bundled={connections.filter(({ bundled }) => bundled).map(({ id }) => id)} />}
        {problem ? <RegistrationProblem problem={problem} foreign={foreign} /> : null}
        {sandbox || !(hostKey || unseen) ? null : <CompareHostKey hostKey={hostKey} compared={problem !== null} />}
        {comingBack === null ? null : <ComingBack sentence={comingBack} />}
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" variant="primary" disabled={pending !== null}>
            {comingBack !== null ? 'Add with its sites' : ready ? 'Add server' : 'Test connection'}
          </Button>
          <ButtonLink href="/servers">Cancel</ButtonLink>
          {pending === 'asking' ? <Waiting description="Reading the server’s host key. Nothing is sent to it yet." /> : null}
          {pending === 'adding' && !sandbox ? (
            <Waiting description={foreign ? 'The service is adding the server.' : 'Logging in and adding the SSH key of Gatehouse.'} />
          ) : null}
        </div>
      </FormStateContext>
    </form>
  )
}

type ConnectionFieldProps = { connections: readonly Service[]; chosen: Service | undefined; onChoose: (id: string) => void }

function ConnectionField({ connections, chosen, onChoose }: ConnectionFieldProps) {
  if (chosen === undefined) return null
  if (connections.length < 2) return <input type="hidden" name="connectionId" value={chosen.id} />
  return (
    <Field name="connectionId" label="Service" hint="The service that will manage it.">
      {(control) => (
        <SearchSelect
          {...control}
          choices={connections.map(({ id, label }) => ({ value: id, label }))}
          value={chosen.id}
          onChange={onChoose}
        />
      )}
    </Field>
  )
}

/** The interface does not say which providers a service has, so any text is sent as typed. */
function ProviderField({ known }: { known: readonly string[] }) {
  const suggestions = useId()
  return (
    <Field name="provider" label="Provider" hint="Sent to the service as typed.">
      {(control) => (
        <>
          <Input {...control} {...limitsOf(note)} required autoComplete="off" spellCheck={false} defaultValue="custom" list={suggestions} />
          <datalist id={suggestions}>
            {[...new Set(['custom', ...known])].map((provider) => (
              <option key={provider} value={provider} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}

/**
 * The interface requires an address and a login for every server; a sandbox server accepts any, but each address only once. A label of a
 * hostname has at most 63 characters.
 */
function fillSandbox(form: FormData): void {
  const label = String(form.get('name') ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 57)
  const [number = 0] = crypto.getRandomValues(new Uint16Array(1))
  form.set('host', `${label || 'server'}-${number}.sandbox.test`)
  form.set('port', '22')
  form.set('user', 'root')
  form.set('pass', 'sandbox')
}

type Filled = { user: string; connectionId: string }

function readForm(form: HTMLFormElement): Filled {
  const filled = new FormData(form)
  const text = (name: string) => String(filled.get(name) ?? '').trim()
  return { user: text('user'), connectionId: text('connectionId') }
}

/** What adding a server leaves on it, if a bundled service is chosen; for another one that is unknown. */
function AdmissionChanges({ bundled }: { bundled: readonly string[] }) {
  const box = useRef<HTMLDivElement>(null)
  const [filled, setFilled] = useState<Filled>({ user: 'root', connectionId: bundled[0] ?? '' })
  useEffect(() => {
    const form = box.current?.closest('form')
    if (!form) return
    const readUser = () => setFilled(readForm(form))
    readUser()
    form.addEventListener('input', readUser)
    return () => form.removeEventListener('input', readUser)
  }, [])
  const shown = bundled.includes(filled.connectionId) && filled.user !== ''
  return (
    <div ref={box}>
      {shown ? (
        <details>
          <summary className="min-h-6 cursor-pointer font-semibold">What Gatehouse sets up on this server</summary>
          <ul className="mt-2 flex flex-col gap-3 text-muted">
            {admissionChangesOf(filled.user).map(({ file, description, line }) => (
              <li key={file} className="flex flex-col gap-1">
                <code className="font-mono text-code text-ink">{file}</code>
                <span>{description}</span>
                {line === null ? null : <CodeBlock text={line} what="the line" />}
              </li>
            ))}
          </ul>
          <p className="mt-2 text-muted">{admissionEnd}</p>
        </details>
      ) : null}
    </div>
  )
}

type CompareHostKeyProps = {
  /** Null: the service cannot show one. */
  hostKey: string | null
  /** It was compared a moment ago; now the form has another problem. */
  compared: boolean
}

/** Shows the fingerprint next to the command that prints it on the server itself. */
function CompareHostKey({ hostKey, compared }: CompareHostKeyProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  if (compared && hostKey !== null) {
    return (
      <p className="text-small text-muted">
        Host key you confirmed: <code className="font-mono text-code break-all text-ink">{hostKey}</code>
      </p>
    )
  }
  return (
    <Card ref={box} tabIndex={-1} role="group" aria-label="Host key" className="flex flex-col gap-3 p-4 outline-none">
      {hostKey === null ? (
        <>
          <h2 className="text-section font-strong">The host key cannot be compared</h2>
          <p className="text-muted">
            This service logs in without showing the host key first. Add the server only if you trust the network between the two.
          </p>
        </>
      ) : (
        <>
          <h2 className="text-section font-strong">Compare the host key</h2>
          <p className="text-muted">The server at this address presents the fingerprint</p>
          <p className="flex items-center gap-2">
            <code className="min-w-0 font-mono text-code font-semibold break-all">{hostKey}</code>
            <CopyButton value={hostKey} what="the fingerprint" />
          </p>
          <p className="text-muted">Run this on the server, in a console you trust, to print the correct one:</p>
          <CodeBlock text="ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub" what="the command" />
          <p className="text-muted">
            If both match, nobody is intercepting the connection. Add the server; the password is sent only to the server with this key.
          </p>
        </>
      )}
    </Card>
  )
}
