/** The copies of a site outside of its server, as its page shows them. */
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { type ComponentProps, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CopiesElsewhere } from '@/app/(portal)/sites/[siteId]/backups/copies-elsewhere'

type Props = ComponentProps<typeof CopiesElsewhere>

const copy = {
  id: 'copy',
  state: 'done' as const,
  problem: '',
  backup: 'shop.example-1.tar.zst',
  snapshot: 'abcdef12',
  bytes: 1000,
  at: '2026-11-01T02:00:00.000Z',
  proof: { provenAt: '', isBad: false, problem: '' },
}

const ofTarget = { targetId: 'target', label: 'Storage', address: '/mnt/backups', isSafe: true, isBad: false, refusal: null }

function draw(elsewhere: Props['elsewhere']): string {
  const site = { id: 'site', domain: 'shop.example' } as Props['site']
  const props = { site, copied: null, proven: null, elsewhere, schedule: null, may: false, hasBackup: true, restore: null }
  const router = { value: {} as NonNullable<ComponentProps<typeof AppRouterContext.Provider>['value']> }
  return renderToStaticMarkup(createElement(AppRouterContext.Provider, router, createElement(CopiesElsewhere, props)))
}

test('a reader who may not restore sees each copy once, with its snapshot', () => {
  const markup = draw([{ ...ofTarget, newest: copy, lastGood: copy, restorable: [copy] }])
  expect(markup.split(copy.backup)).toHaveLength(2)
  expect(markup.replace(/<!-- -->/g, '')).toContain(`${copy.backup} · snapshot abcdef12 ·`)
  expect(markup).toContain('Safe')
})

test('a target with a bad copy is not called safe', () => {
  const bad = { ...copy, proof: { provenAt: '', isBad: true, problem: 'Parts of the copy were changed.' } }
  const markup = draw([{ ...ofTarget, isBad: true, newest: copy, lastGood: copy, restorable: [copy, { ...bad, id: 'older' }] }])
  expect(markup).toContain('Bad copy')
  expect(markup).not.toContain('Safe')
})
