/** The form that adds a site, as it opens. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AddSiteForm, explainAddresses } from '@/app/(portal)/sites/new/add-site-form'

const draw = (domain: string) =>
  renderToStaticMarkup(
    createElement(AddSiteForm, {
      hosts: [{ id: 'server', name: 'web-01', address: '192.0.2.10', extensions: true, sandbox: true }],
      backup: '',
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

test.each([
  ['192.0.2.10', ['192.0.2.10'], 'example.org points to web-01 (192.0.2.10).'],
  [
    '192.0.2.10',
    ['192.0.2.10', '2001:db8::1'],
    'example.org points to web-01 (192.0.2.10), and also to 2001:db8::1. Visitors may end up there, and SSL needs the site at each of them.',
  ],
  [
    '192.0.2.10',
    ['198.51.100.7'],
    'example.org points to 198.51.100.7, not to web-01 (192.0.2.10). That is right only behind a proxy such as a CDN.',
  ],
  [
    '192.0.2.10',
    [],
    'example.org isn’t in the DNS yet. Add an A record that points to web-01 (192.0.2.10); you can create the site first.',
  ],
  ['web-01.example.net', [], 'example.org isn’t in the DNS yet. Add an A record that points to web-01; you can create the site first.'],
  ['', ['198.51.100.7'], 'example.org points to 198.51.100.7.'],
])('for a server at %j and the addresses %j, the form says where the domain points', (address, addresses, said) => {
  expect(explainAddresses('example.org', addresses, { name: 'web-01', address })).toBe(said)
})
