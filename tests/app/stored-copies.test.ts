/** The copies of a site at one target, as a list. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { StoredCopies } from '@/app/(portal)/sites/[siteId]/backups/stored-copies'

const copyOf = (day: number) => ({
  id: `copy-${day}`,
  state: 'done' as const,
  problem: '',
  backup: `shop.example-${day}.tar.zst`,
  snapshot: 'abcdef12',
  bytes: 1000,
  at: `2026-11-0${day}T02:00:00.000Z`,
  proof: { provenAt: '', isBad: false, problem: '' },
})

test('each button names the copy that it is about, and its name begins with what is seen', () => {
  const markup = renderToStaticMarkup(
    createElement(StoredCopies, {
      siteId: 'site',
      copies: {
        ...{
          targetId: 'target',
          label: 'Storage',
          address: '/mnt/backups',
          newest: null,
          lastGood: null,
          isSafe: true,
          isBad: false,
          refusal: null,
        },
        restorable: [copyOf(1), copyOf(2)],
      },
      restore: { busy: false, onRestore: () => undefined },
      proof: { busy: false, starting: [], onStarted: () => undefined },
    }),
  )
  const named = [...markup.matchAll(/<button[^>]*aria-label="([^"]*)"[^>]*>([^<]*)/g)].map(([, name = '', text = '']) => ({ name, text }))
  expect(named).toHaveLength(4)
  expect(new Set(named.map(({ name }) => name)).size).toBe(4)
  for (const { name, text } of named) expect(name.startsWith(text)).toBe(true)
})
