'use client'

import { useEffect, useRef, useState } from 'react'
import type { BatchView } from '@/lib/portal/batches/view'
import { startBatch } from '../batches/actions'
import { targetStates } from '../batches/batch-words'
import { followBatch } from '../batches/follow-batch'
import { callAction, formatReason } from '../forms/call-action'
import type { AnyRead } from '../reads/read-address'
import { refetchReads } from '../reads/refetch-reads'

/** reason: empty while it is being added, or if it was added. */
export type AddedName = { name: string; state: 'waiting' | 'adding' | 'added' | 'failed'; reason: string }

export type AddMany = {
  /** Starts the batch that adds these names. */
  batch: (names: readonly string[]) => Readonly<Record<string, string>>
  /** The reads that show the names; repeated after each. */
  refetch: readonly AnyRead[]
  /** Called when adding begins and ends. */
  onAdding: (adding: boolean) => void
}

type Adding = { names: readonly AddedName[]; batchId: string | null; problem: string }

const nothing: Adding = { names: [], batchId: null, problem: '' }

/** Adds names one after another as a batch, so that a refused one does not prevent the others, and all are added if the page is left. */
export function useAddMany({ batch, refetch, onAdding }: AddMany) {
  const [{ names, batchId, problem }, setAdding] = useState<Adding>(nothing)
  const [busy, setBusy] = useState(false)
  const markBusy = (adding: boolean): void => {
    setBusy(adding)
    onAdding(adding)
  }
  const left = useRef<AbortController | null>(null)
  useEffect(() => () => left.current?.abort(), [])

  /** Returns the names that were not added. */
  async function add(given: readonly string[]): Promise<string[]> {
    markBusy(true)
    setAdding({ ...nothing, names: given.map((name) => ({ name, state: 'waiting', reason: '' })) })
    const started = await callAction(startBatch, batch(given))
    if (!started.ok) {
      setAdding({ ...nothing, problem: formatReason(started.problem) })
      markBusy(false)
      return [...given]
    }
    const id = started.data.batchId
    left.current = new AbortController()
    let newest: readonly AddedName[] = []
    await followBatch(id, left.current.signal, async (news) => {
      const added = countAdded(newest)
      newest = outcomesOf(given, news)
      setAdding({ names: newest, batchId: id, problem: news.problem?.sentence ?? '' })
      if (countAdded(newest) > added) await refetchReads(refetch)
    })
    markBusy(false)
    return newest.flatMap(({ name, state }) => (state === 'failed' ? [name] : []))
  }

  return { names, batchId, problem, adding: busy, add }
}

const countAdded = (names: readonly AddedName[]): number => names.filter(({ state }) => state === 'added').length

/** The targets of the batch are the names in the order given. */
export function outcomesOf(given: readonly string[], { targets }: Pick<BatchView, 'targets'>): AddedName[] {
  return given.map((name, index) => {
    const target = targets[index]
    if (!target || target.state === 'waiting') return { name, state: 'waiting', reason: '' }
    if (target.state === 'running') return { name, state: 'adding', reason: '' }
    if (target.state === 'done') return { name, state: 'added', reason: '' }
    return { name, state: 'failed', reason: target.problem?.sentence ?? targetStates[target.state].label }
  })
}
