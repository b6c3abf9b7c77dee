'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, useEffect, useState } from 'react'
import { useAction } from '@/app/_shared/forms/action-form'
import { formatRefusal } from '@/app/_shared/forms/call-action'
import { portalRead } from '@/app/_shared/reads/read-address'
import { CodeBlock } from '@/app/_ui/code-block'
import { Notice } from '@/app/_ui/notice'
import type { Problem } from '@/lib/contract/problem'
import { askHostKey, createServer } from '../actions'

/** What went wrong, the likely cause, and what to do about it. */
export function RegistrationProblem({ problem, foreign }: { problem: Problem; foreign: boolean }) {
  return (
    <div tabIndex={-1} data-refusal className="flex flex-col gap-3 outline-none">
      <Notice tone="danger" alert title={formatRefusal(problem)}>
        {foreign ? foreignAdviceOf(problem) : adviceOf(problem)}
      </Notice>
      {problem.code === 'login_failed' && !foreign ? <HowToGrantAccess /> : null}
    </div>
  )
}

/** What another service did meanwhile, and how it reaches the server, is unknown. */
const foreignAdviceOf = ({ code }: Problem): string =>
  code === 'outcome_unknown' ? 'Check the list of servers before you try again.' : 'Your input is still here.'

function adviceOf(problem: Problem): ReactNode {
  switch (problem.code) {
    case 'login_failed':
      return 'Nothing was saved, and nothing on the server was changed. Your input is still here.'
    case 'unreachable':
    case 'too_slow':
      return 'Check the address and port, that the server is running, and that its firewall allows the machine that runs Gatehouse.'
    case 'host_key_changed':
      return 'The server presented a different host key than the one you confirmed. Test the connection again; if the key differs again, someone may be intercepting the connection.'
    case 'outcome_unknown':
      return 'Check the list of servers before you try again.'
    default:
      return null
  }
}

/** By default Debian refuses root logins by password: the usual cause, and three solutions. */
function HowToGrantAccess() {
  return (
    <section aria-labelledby="let-us-in" className="flex flex-col gap-3 rounded-sheet border border-line bg-surface p-4">
      <h2 id="let-us-in" className="text-section font-strong">
        How to give Gatehouse access
      </h2>
      <p className="text-muted">
        Check the user and password first. By default, Debian refuses root logins with a password. Run one of these on the server as root:
      </p>
      <Way title="Create a user with sudo, and add the server as that user">
        <CodeBlock text={'apt-get install -y sudo\nadduser deploy\nusermod -aG sudo deploy'} what="the commands that create a user" />
      </Way>
      <Way title="Or temporarily allow root to log in with a password">
        <CodeBlock
          text={'echo "PermitRootLogin yes" > /etc/ssh/sshd_config.d/00-let-in.conf\nsystemctl reload ssh'}
          what="the commands that let root in"
        />
        <p className="text-muted">and undo it once the server is added:</p>
        <CodeBlock text={'rm /etc/ssh/sshd_config.d/00-let-in.conf\nsystemctl reload ssh'} what="the commands that take it back" />
      </Way>
      <Way title="Or use a private key that the server already accepts">
        <p className="text-muted">Choose “Use a private key” above and paste the whole file. Keys with a passphrase are not supported.</p>
      </Way>
    </section>
  )
}

function Way({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5">
      <h3 className="font-semibold">{title}</h3>
      {children}
    </div>
  )
}

/** The host key that was shown, and for which address and port. */
type Shown = { hostKey: string; place: string }

/** What the service found on a server that it has added. take_over: how root makes the others' sites the account's. */
type Found = { serverId: string; adopted: readonly string[]; held: readonly { domain: string; owner: string }[]; takeOver: string }

type Registration = {
  pending: 'asking' | 'adding' | null
  /** The fingerprint to compare, while address and port are unchanged. */
  hostKey: string | null
  /** True for a service that cannot show a host key before logging in. */
  unseen: boolean
  problem: Problem | null
  /** The sites of the account that come back, as a sentence to confirm; null if that was not asked. */
  comingBack: string | null
  /** Set once the server is added, if it has sites of others: the user has to read that before the next page. */
  found: Found | null
  ask: (form: FormData) => void
  add: (form: FormData) => void
  /** Call this when address or port were edited. */
  placeEdited: (form: FormData) => void
}

const nextPage = (serverId: string): string => `/servers/${serverId}/install`

const hostFieldsOf = (form: FormData): string => `${form.get('host')} ${form.get('port')} ${form.get('connectionId')}`

/** The two steps of a registration: ask for the host key, then give access. The confirmed key is sent with the second step. */
export function useRegistration(): Registration {
  const router = useRouter()
  const { answer: asked, pending: asking, send: sendAsk } = useAction(askHostKey, { repeatable: true })
  const { answer: added, pending: adding, send: sendAdd } = useAction(createServer, { refetch: [portalRead('/api/servers')] })
  const [latest, setLatest] = useState<'asked' | 'added'>('asked')
  const [place, setPlace] = useState('')
  const [askedPlace, setAskedPlace] = useState('')

  const found = foundIn(added)
  const isTold = found !== null
  useEffect(() => {
    if (added?.ok && added.data.serverId && !isTold) router.push(nextPage(added.data.serverId))
  }, [added, isTold, router])

  const answer = latest === 'asked' ? asked : added
  const fresh = askedPlace !== '' && place === askedPlace
  const shown: Shown | null =
    fresh && asked && !asked.ok && asked.problem.code === 'host_key_unconfirmed' && asked.problem.hostKey
      ? { hostKey: asked.problem.hostKey, place: askedPlace }
      : null
  const unseen = fresh && asked?.ok === false && asked.problem.code === 'not_built'
  const failed = answer && !answer.ok && (latest === 'added' || (!shown && !unseen && fresh)) ? answer.problem : null
  const comingBack = failed?.code === 'adoption_unconfirmed' ? failed.sentence : null
  const problem = comingBack === null ? failed : null
  return {
    pending: asking ? 'asking' : adding || (added?.ok && !isTold) ? 'adding' : null,
    comingBack: asking || adding ? null : comingBack,
    found,
    hostKey: problem?.code === 'host_key_changed' ? null : (shown?.hostKey ?? null),
    unseen,
    problem: asking || adding ? null : problem,
    ask: (form) => {
      setLatest('asked')
      setPlace(hostFieldsOf(form))
      setAskedPlace(hostFieldsOf(form))
      form.set('host_key', 'ask')
      // Nothing logs in yet, so the password is not sent.
      form.set('pass', '')
      void sendAsk(form)
    },
    add: (form) => {
      setLatest('added')
      // Only a server that shows exactly the compared key gets the password.
      if (shown) form.set('host_key', shown.hostKey)
      form.set('adopt', comingBack === null ? 'ask' : '1')
      void sendAdd(form)
    },
    placeEdited: (form) => setPlace(hostFieldsOf(form)),
  }
}

function foundIn(added: ReturnType<typeof useAction<Awaited<ReturnType<typeof createServer>>>>['answer']): Found | null {
  if (!added?.ok || !added.data.serverId || !added.data.held?.length) return null
  const { serverId, adopted = [], held, take_over: takeOver = '' } = added.data
  return { serverId, adopted, held, takeOver }
}
