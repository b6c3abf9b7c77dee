'use client'

import { useState } from 'react'
import { type Action, type AnyActionResult, callAction, formatReason } from '../call-action'
import type { AnyRead } from '../read-address'
import { refetchReads } from '../refetch-reads'

/** reason: null while it is being added, or if it was added. */
export type AddedName = { name: string; state: 'waiting' | 'adding' | 'added' | 'failed'; reason: string }

type AddMany = {
  action: Action<AnyActionResult>
  /** The request for one name. more: others follow it. */
  fieldsOf: (name: string, more: boolean) => Readonly<Record<string, string>>
  /** Called if the last name was refused after others were added, which were sent as if it followed. Must not reject. */
  complete: () => Promise<void>
  /** The reads that show the names; repeated after each. */
  refetch: readonly AnyRead[]
}

/** Adds names one after another, each as a separate request, so that a refused one does not prevent the others. */
export function useAddMany({ action, fieldsOf, complete, refetch }: AddMany) {
  const [names, setNames] = useState<readonly AddedName[]>([])
  const [adding, setAdding] = useState(false)

  /** Returns the names that were not added. */
  async function add(given: readonly string[]): Promise<string[]> {
    setAdding(true)
    setNames(given.map((name) => ({ name, state: 'waiting', reason: '' })))
    const mark = (place: number, state: AddedName['state'], reason = '') =>
      setNames((before) => before.map((one, index) => (index === place ? { ...one, state, reason } : one)))
    const failed: string[] = []
    for (const [place, name] of given.entries()) {
      mark(place, 'adding')
      const answer = await callAction(action, fieldsOf(name, place < given.length - 1), { toEnd: true })
      mark(place, answer.ok ? 'added' : 'failed', answer.ok ? '' : formatReason(answer.problem))
      if (answer.ok) await refetchReads(refetch)
      else failed.push(name)
    }
    if (failed.length < given.length && failed.at(-1) === given.at(-1)) await complete()
    setAdding(false)
    return failed
  }

  return { names, adding, add }
}
