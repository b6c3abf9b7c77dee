'use client'

import { unstable_isUnrecognizedActionError, unstable_rethrow } from 'next/navigation'
import { refetchReads } from '@/app/_shared/reads/use-read'
import type { Outcome, Problem } from '@/lib/contract/problem'
import { probePortal } from '../frame/portal-link'
import type { AnyRead } from '../reads/read-address'
import { isSignedOut, requestSignIn } from '../session/sign-in-request'
import { answerLost, hostRewritten, nothingSent, pageOutdated, portalUnreachable } from './portal-problems'

/** The result of an action; `values` are returned by forms that also work without scripts. */
export type AnyActionResult = Outcome<unknown> & { values?: Readonly<Record<string, string>> }

export type Action<Result extends AnyActionResult> = (previous: null, form: FormData) => Promise<Result>

/** The same for forms, which also work without scripts. */
export type FormAction<Result extends AnyActionResult> = (previous: Awaited<Result> | null, form: FormData) => Promise<Result>

export type DataOf<Result extends AnyActionResult> = Extract<Result, { ok: true }>['data']

/** An action that the portal did not answer. */
export type CallFailure = { ok: false; problem: Problem; values?: Readonly<Record<string, string>> }

export type Fields = FormData | Readonly<Record<string, string>>

export type CallOptions<Result extends AnyActionResult> = {
  /** The reads that show what the action changes. They are repeated whatever the result, unless nobody is signed in, and awaited. */
  refetch?: readonly AnyRead[]
  /** Waits for the end of the job that it starts, if it starts one: a failure of the job is then the answer. */
  toEnd?: boolean
  /** Sending it twice is harmless, so a lost answer needs no warning. */
  repeatable?: boolean
  /** Called with the answer before the reads, even if the component that sent it is gone; awaited. */
  onAnswer?: (answer: Result | CallFailure) => void | Promise<void>
}

/**
 * The only way to send a server action: with a request id of its own, so that a request that arrives twice runs once. If the session has
 * ended, the same form is sent again after the user entered the password. Rejects only with Next's own errors, such as a redirect.
 */
export async function callAction<Result extends AnyActionResult>(
  action: Action<Result>,
  fields: Fields,
  { refetch = [], repeatable = false, toEnd = false, onAnswer }: CallOptions<Result> = {},
): Promise<Result | CallFailure> {
  const form = toForm(fields)
  form.set('requestId', createRequestId())
  const send = () => attempt(action, form, repeatable)
  let answer = await send()
  if (isSignedOut(answer) && (await requestSignIn())) answer = await send()
  if (toEnd) answer = await waitForEnd(answer)
  await onAnswer?.(answer)
  if (!isSignedOut(answer)) await refetchReads(refetch)
  return answer
}

async function waitForEnd<Result extends AnyActionResult>(answer: Result | CallFailure): Promise<Result | CallFailure> {
  const jobId = answer.ok && typeof answer.data === 'object' && answer.data !== null && 'jobId' in answer.data ? answer.data.jobId : null
  if (typeof jobId !== 'string') return answer
  const { waitForJob } = await import('../jobs/wait-for-job')
  const why = await waitForJob(jobId)
  return why ? { ok: false, problem: why } : answer
}

async function attempt<Result extends AnyActionResult>(
  action: Action<Result>,
  form: FormData,
  repeatable: boolean,
): Promise<Result | CallFailure> {
  const unanswered = navigator.onLine === false ? nothingSent : repeatable ? portalUnreachable : answerLost
  try {
    return await action(null, form)
  } catch (error) {
    unstable_rethrow(error)
    if (unstable_isUnrecognizedActionError(error)) return { ok: false, problem: pageOutdated }
    if (error instanceof Error && error.message === hostRewritten.sentence) return { ok: false, problem: hostRewritten }
    void probePortal()
    return { ok: false, problem: unanswered }
  }
}

function toForm(fields: Fields): FormData {
  if (fields instanceof FormData) return fields
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

const createRequestId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** If single fields are refused, their reasons are shown next to them. */
export const formatRefusal = (problem: Problem): string =>
  problem.code === 'invalid' && problem.fields ? 'Check the highlighted fields.' : problem.sentence

/** For places without fields: the first reason there is. */
export const formatReason = (problem: Problem): string => Object.values(problem.fields ?? {})[0] ?? problem.sentence
