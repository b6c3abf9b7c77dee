/** The form that adds a site, as it opens. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AddSiteForm } from '@/app/(portal)/sites/new/add-site-form'

const draw = (domain: string) =>
  renderToStaticMarkup(
    createElement(AddSiteForm, {
      hosts: [{ id: 'server', name: 'web-01', address: '192.0.2.10', extensions: true }],
      start: { domain, serverId: 'server', password: 'a long secret' },
      refetch: [],
      onStarted: () => {},
    }),
  )

test.each([
  ['', true],
  ['example.org', true],
  ['wwwexample.org', true],
  ['www.example.org', false],
  [' WWW.example.org', false],
])('for the domain %j, its name with www is offered: %s', (domain, offered) => {
  expect(draw(domain).includes('name="www"')).toBe(offered)
})
