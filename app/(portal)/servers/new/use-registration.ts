'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { useAction } from '@/app/_shared/forms/use-action'
import { portalRead } from '@/app/_shared/reads/read-address'
import type { Problem } from '@/lib/contract/problem'
import { askHostKey, createServer } from './actions'

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
