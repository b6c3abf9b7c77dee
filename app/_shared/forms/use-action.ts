'use client'

import { useRef, useState } from 'react'
import { type Action, type AnyActionResult, type CallFailure, type CallOptions, callAction, type Fields } from './call-action'

export type ActionState<Result extends AnyActionResult> = {
  /** The newest answer; null before the first. */
  answer: Result | CallFailure | null
  pending: boolean
  /** Sends, unless it is already being sent: then returns null. */
  send: (fields: Fields) => Promise<Result | CallFailure | null>
}

/**
 * One action of a component, with its newest answer. Not part of React's transitions: while one waits for an answer, or for the password
 * of an ended session, no other page could be shown.
 */
export function useAction<Result extends AnyActionResult>(action: Action<Result>, options?: CallOptions<Result>): ActionState<Result> {
  const [answer, setAnswer] = useState<Result | CallFailure | null>(null)
  const [pending, setPending] = useState(false)
  const sending = useRef(false)
  async function send(fields: Fields): Promise<Result | CallFailure | null> {
    if (sending.current) return null
    sending.current = true
    setPending(true)
    try {
      const newest = await callAction(action, fields, options)
      setAnswer(newest)
      return newest
    } catch (error) {
      // A redirect has to be thrown during rendering.
      setAnswer(() => {
        throw error
      })
      return null
    } finally {
      sending.current = false
      setPending(false)
    }
  }
  return { answer, pending, send }
}
