/** What a page says when its newest read failed. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ConnectionNotices } from '@/app/_shared/collection/connection-notices'
import { ReadError } from '@/app/_shared/reads/read-error'
import { type ProblemCode, problem } from '@/lib/contract/problem'

const showRead = (code: ProblemCode) =>
  renderToStaticMarkup(
    createElement(ReadError, {
      read: { problem: problem(code), readAt: null, again: () => undefined },
      nothingRead: 'The list was not read.',
    }),
  )

const showList = (code: ProblemCode) => {
  const connection = {
    id: 'one',
    label: 'One',
    state: 'working',
    simulates: false,
    problem: problem(code),
    listedAt: null,
    cut: null,
    unreadable: 0,
  }
  return renderToStaticMarkup(
    createElement(ConnectionNotices, { noun: 'server', link: 'up', connections: [connection], problem: null, readAt: 1 }),
  )
}

test.each([
  ['a page', showRead],
  ['a list', showList],
])('%s says of a frozen connection that it is frozen, not that a service failed to respond, and retries nothing', (_, show) => {
  expect(show('key_frozen')).toContain('This connection is frozen.')
  expect(show('key_frozen')).toMatch(/href="\/keys"/)
  expect(show('key_frozen')).not.toMatch(/respond|Retrying|Try again/)
  expect(show('upstream_unreachable')).toContain('Retrying automatically.')
})
