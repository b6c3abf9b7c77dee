/** What the bar of a selection says about actions for several. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { UnreadActions } from '@/app/_shared/batches/unread-actions'
import { offersEveryMs } from '@/app/_shared/batches/use-batch-offers'
import { problem } from '@/lib/contract/problem'

const show = (failed: boolean, known: boolean) => {
  const read = { problem: failed ? problem('internal') : null, reading: false, again: () => undefined }
  return renderToStaticMarkup(createElement(UnreadActions, { offers: { mayAt: known ? () => true : null, ...read } }))
}

test('actions that could not be read are named, with another attempt; while they are read, and once they are known, nothing is said', () => {
  expect(show(true, false)).toContain('The actions could not be read.')
  expect(show(true, false)).toContain('Try again')
  for (const text of [show(false, false), show(true, true), show(false, true)]) expect(text).toBe('')
})

test('long lists of ids are read seldom', () => {
  const offer = (count: number) => ({ operations: ['backups.create'], ids: Array.from({ length: count }, (_, n) => String(n)) })
  const [minute, few] = [60_000, [offer(100), { operations: ['sites.delete'], ids: null }]]
  expect([offersEveryMs(null), offersEveryMs(few), offersEveryMs([offer(600), offer(600)])]).toEqual([minute, minute, 15 * minute])
})
