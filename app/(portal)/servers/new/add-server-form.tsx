'use client'

import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { focusFirstError, useScriptedChecks } from '../../../_shared/action-form'
import { checkForm } from '../../../_shared/check-form'
import { Button, ButtonLink } from '../../../_ui/button'
import { ChoiceCards } from '../../../_ui/choice-cards'
import { Field } from '../../../_ui/field'
import { FormStateContext } from '../../../_ui/form-state'
import { Input, Select } from '../../../_ui/input'
import { Waiting } from '../../../_ui/skeleton'
import { CompareHostKey } from './compare-host-key'
import { LoginFields } from './login-fields'
import { RegistrationProblem } from './registration-problem'
import { useRegistration } from './use-registration'

type Provider = 'ssh' | 'sandbox'

const providers = [
  { value: 'ssh', title: 'Your own server', says: 'A Debian machine with root or sudo, reachable by SSH.' },
  { value: 'sandbox', title: 'Sandbox', says: 'A simulated machine to try things on. Nothing real is touched.' },
] as const

/** simulates: its service offers sandbox servers. */
type Service = { id: string; label: string; simulates: boolean }

type AddServerFormProps = { startWith: Provider; connections: readonly Service[] }

/** One page, two steps: see whom we talk to, then let us in. */
export function AddServerForm({ startWith, connections }: AddServerFormProps) {
  const simulating = connections.filter(({ simulates }) => simulates)
  const offered = connections.length > 0 && simulating.length === 0 ? providers.slice(0, 1) : providers
  const [provider, setProvider] = useState<Provider>(offered.length > 1 ? startWith : 'ssh')
  const registration = useRegistration()
  const { pending, hostKey, unseen, problem } = registration
  const form = useRef<HTMLFormElement>(null)
  useScriptedChecks(form)
  useEffect(() => {
    if (problem) focusFirstError(form.current)
  }, [problem])
  const state = useMemo(() => ({ pending: pending !== null, errors: problem?.fields ?? {}, values: {} }), [pending, problem])
  const sandbox = provider === 'sandbox'
  const ready = sandbox || hostKey !== null || unseen

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (pending || !checkForm(event.currentTarget)) return
    const filled = new FormData(event.currentTarget)
    if (sandbox) fillSandbox(filled)
    if (ready) registration.add(filled)
    else registration.ask(filled)
  }

  return (
    <form
      ref={form}
      onSubmit={submit}
      onInput={(event) => registration.placeEdited(new FormData(event.currentTarget))}
      aria-busy={pending !== null}
      className="flex max-w-[640px] flex-col gap-6"
    >
      <FormStateContext value={state}>
        <ChoiceCards legend="What kind of server" name="provider" choices={offered} value={provider} onChange={setProvider} />
        <input type="hidden" name="region" value="" />
        <input type="hidden" name="type" value="" />
        <ConnectionField connections={sandbox ? simulating : connections} />
        {sandbox ? null : <LoginFields />}
        <div className="grid gap-4 tablet:grid-cols-2">
          <Field
            name="name"
            label="Name"
            hint={sandbox ? 'Begin it with slow-, fail- or flaky- to meet such a machine.' : 'What the list calls it, such as web-fra-01.'}
          >
            {(control) => <Input {...control} required maxLength={100} autoComplete="off" />}
          </Field>
          <Field name="dns" label="DNS provider" optional hint="A note of who runs its DNS, such as Cloudflare.">
            {(control) => <Input {...control} maxLength={100} autoComplete="off" />}
          </Field>
        </div>
        {problem ? <RegistrationProblem problem={problem} /> : null}
        {sandbox || !(hostKey || unseen) ? null : <CompareHostKey hostKey={hostKey} compared={problem !== null} />}
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" look="primary" disabled={pending !== null}>
            {ready ? 'Add server' : 'Test connection'}
          </Button>
          <ButtonLink href="/servers">Cancel</ButtonLink>
          {pending === 'asking' ? <Waiting says="Asking the machine for its host key. Nothing is sent to it yet." /> : null}
          {pending === 'adding' && !sandbox ? <Waiting says="Logging in and putting our own key in place." /> : null}
        </div>
      </FormStateContext>
    </form>
  )
}

function ConnectionField({ connections }: { connections: AddServerFormProps['connections'] }) {
  if (connections.length < 2) return connections[0] ? <input type="hidden" name="connectionId" value={connections[0].id} /> : null
  return (
    <Field name="connectionId" label="Service" hint="Which service is to look after it.">
      {(control) => (
        <Select {...control} required>
          {connections.map((connection) => (
            <option key={connection.id} value={connection.id}>
              {connection.label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

/** The interface wants an address and a login for every server; a simulated one takes any, but no two at one address. */
function fillSandbox(form: FormData): void {
  const label = String(form.get('name') ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
  const [number = 0] = crypto.getRandomValues(new Uint16Array(1))
  form.set('host', `${label || 'server'}-${number}.sandbox.test`)
  form.set('port', '22')
  form.set('user', 'root')
  form.set('pass', 'sandbox')
}
