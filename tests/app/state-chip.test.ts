/** Only what is not done, or not well, has a ground of colour. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { targetStates } from '@/app/_shared/batches/batch-summary'
import { jobStates } from '@/app/_shared/jobs/job-state'
import { StateChip, type Tone } from '@/app/_ui/state-chip'

const chip = (tone: Tone) => renderToStaticMarkup(createElement(StateChip, { tone, label: 'State' }))

test.each(['done', 'ok'] as const)('a chip of tone %s has no background', (tone) => {
  expect(chip(tone)).toContain('text-muted')
  expect(chip(tone)).not.toMatch(/bg-[a-z]+-bg|bg-sunken/)
})

test.each(['warn', 'danger'] as const)('a chip of tone %s has its colour', (tone) => {
  expect(chip(tone)).toContain(`bg-${tone}-bg text-${tone}`)
})

test('done has an icon that no other state has', () => {
  expect(chip('done')).toContain('<svg')
  for (const tone of ['ok', 'warn', 'danger', 'accent', 'neutral'] as const) expect(chip(tone)).not.toContain('<svg')
})

test('jobs and targets of batches that are done have no background', () => {
  expect([jobStates.done.tone, targetStates.done.tone]).toEqual(['done', 'done'])
  expect(jobStates.done.bar).toBe('done')
})
