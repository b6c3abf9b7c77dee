/** What the form that adds several names says about each while their batch runs, and after its end. */
import { expect, test } from 'vitest'
import { outcomesOf } from '@/app/_shared/add-many/add-many-form'
import { problem } from '@/lib/contract/problem'
import type { BatchTargetView } from '@/lib/portal/batches/view'

const target = (state: BatchTargetView['state'], sentence = ''): BatchTargetView => ({
  seq: 0,
  name: 'first.example',
  siteId: 'site',
  serverId: null,
  note: '',
  job: null,
  undo: null,
  startedAt: null,
  endedAt: null,
  state,
  problem: sentence === '' ? null : problem('invalid', { sentence }),
})

test('each name is waiting, being added, added, or not added for its own reason', () => {
  const targets = [
    target('done'),
    target('failed', 'This is a name of another site.'),
    target('unknown'),
    target('running'),
    target('waiting'),
  ]
  expect(outcomesOf(['a', 'b', 'c', 'd', 'e', 'f'], { targets })).toEqual([
    { name: 'a', state: 'added', reason: '' },
    { name: 'b', state: 'failed', reason: 'This is a name of another site.' },
    { name: 'c', state: 'failed', reason: 'Outcome unknown' },
    { name: 'd', state: 'adding', reason: '' },
    { name: 'e', state: 'waiting', reason: '' },
    { name: 'f', state: 'waiting', reason: '' },
  ])
})
