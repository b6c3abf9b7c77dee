import { expect, test } from 'vitest'
import { placeItems } from '@/app/_shared/palette/page-items'
import { actionItems, findHere, groupsFor, jobItems, personItems, serverItems, siteItems } from '@/app/_shared/palette/palette-items'

const handlers = { setTheme: () => undefined, signOut: () => undefined, showShortcuts: () => undefined }
const server = (id: string, name: string, installable = false, extensions = true) => ({
  id,
  name,
  hostname: `${name}.example.org`,
  address: '',
  sandbox: false,
  installable,
  extensions,
})
const known = [server('a', 'alpha'), server('b', 'beta', true), server('f', 'foreign', false, false)]
const all = { here: null, subjects: serverItems(known, true), others: [], actions: [], recents: [], mayChange: true }
const namesOf = (query: string, mayChange = true, recents: string[] = []) =>
  groupsFor(query, {
    ...all,
    subjects: serverItems(known, mayChange),
    actions: actionItems({ mayChange, mayInvite: false, offersSandbox: true, requests: 0 }, handlers),
    recents,
    mayChange,
  }).map(({ title, items }) => [title, items.map(({ name }) => name)])

test('before anything is typed: recent servers that still exist, pages, actions', () => {
  const [recent, pages, actions] = namesOf('', true, ['/servers/b', '/servers/gone'])
  expect(recent).toEqual(['Recent', ['beta']])
  expect(pages).toEqual([
    'Go to',
    ['Home', 'Servers', 'Sites', 'Backups', 'Jobs', 'Connections', 'Team', 'Activity', 'Notifications', 'Approvals', 'Account'],
  ])
  expect(actions?.[1]).toContain('Sign out')
})

test('requests for access that wait for the reader are counted, and found by what one does with them', () => {
  const named = (requests: number) =>
    groupsFor('approve', {
      ...all,
      actions: actionItems({ mayChange: true, mayInvite: false, offersSandbox: false, requests }, handlers),
    })[0]?.items[0]
  expect(named(2)).toMatchObject({ name: 'Access requests (2)', does: '/team/requests' })
  expect(named(0)).toMatchObject({ name: 'Access requests' })
})

test('a server is found by name and hostname, its install only while it is not installed', () => {
  expect(namesOf('beta.example')).toEqual([['Results', ['beta', 'Install beta']]])
  expect(namesOf('install')).toEqual([['Results', ['Install beta', 'Jobs']]])
  expect(namesOf('alpha')).toEqual([['Results', ['alpha']]])
})

test('a viewer is offered nothing that changes anything', () => {
  expect(namesOf('install', false)).toEqual([['Results', ['Jobs']]])
  expect(namesOf('add server', false)).toEqual([['Results', []]])
})

test('choosing an install leads to its page and starts nothing', () => {
  const [group] = groupsFor('install beta', all)
  expect(group?.items[0]?.does).toBe('/servers/b/install')
})

test('a page of a server is found by its word and the server’s name; the word alone finds recent servers', () => {
  expect(namesOf('cron alp')).toEqual([['Results', ['Cron jobs of alpha']]])
  expect(namesOf('beta cront')).toEqual([['Results', ['Cron jobs of beta']]])
  expect(namesOf('cron', false, ['/servers/b'])).toEqual([['Results', ['Cron jobs of beta']]])
  expect(namesOf('journal alp')).toEqual([['Results', ['Logs of alpha']]])
  expect(namesOf('backu alp')).toEqual([['Results', ['Backups of alpha']]])
  expect(namesOf('mail alp')).toEqual([['Results', ['Mail queue of alpha']]])
  expect(namesOf('cr alpha')).toEqual([['Results', []]])
  const [group] = groupsFor('cron beta', all)
  expect(group?.items[0]?.does).toBe('/servers/b/cron')
})

test('so is a page of a site, which a page of a server of that name does not hide', () => {
  const subjects = [
    ...serverItems(known, true),
    ...siteItems([{ id: 's', domain: 'alpha.example', aliases: [], server: 'alpha', extensions: true }]),
  ]
  const found = (query: string) => groupsFor(query, { ...all, subjects })[0]?.items.map(({ name, does }) => [name, does])
  expect(found('certificate alpha')).toEqual([['SSL of alpha.example', '/sites/s/ssl']])
  expect(found('ssl alpha.ex')?.[0]).toEqual(['SSL of alpha.example', '/sites/s/ssl'])
  expect(found('staging alpha')).toEqual([['App of alpha.example', '/sites/s/app']])
  expect(found('database alpha')).toEqual([['Database of alpha.example', '/sites/s/database']])
  expect(found('password alpha')?.map(([name]) => name)).toEqual(['System users of alpha', 'Database of alpha.example'])
  expect(found('dkim alpha')).toEqual([['Email of alpha.example', '/sites/s/email']])
  expect(found('mail alpha')?.map(([name]) => name)).toEqual(['Mail queue of alpha', 'Email of alpha.example'])
  expect(found('upload alpha')).toEqual([['Settings of alpha.example', '/sites/s/settings']])
  expect(found('backups alpha')?.map(([name]) => name)).toEqual(['Backups of alpha', 'Backups of alpha.example'])
  expect(found('download alpha')).toEqual([['Backups of alpha.example', '/sites/s/backups']])
  expect(found('requests alpha')).toEqual([['Logs of alpha.example', '/sites/s/logs']])
  const [foreign] = siteItems([{ id: 's', domain: 'alpha.example', aliases: [], server: 'alpha', extensions: false }])
  expect(groupsFor('requests alpha', { ...all, subjects: foreign ? [foreign] : [] })[0]?.items).toEqual([])
})

test('an action for a server is found by a verb and its name, and leads to where it starts', () => {
  expect(namesOf('add alp')).toEqual([['Results', ['Add a cron job to alpha', 'Add a user to alpha', 'Add a firewall rule to alpha']]])
  expect(namesOf('add user alpha')[0]?.[1]?.[0]).toBe('Add a user to alpha')
  expect(namesOf('open port beta')).toEqual([['Results', ['Add a firewall rule to beta']]])
  expect(namesOf('delete alpha')[0]?.[1]).toEqual(['Delete alpha', 'Settings of alpha'])
  expect(namesOf('delete', true, ['/servers/b'])[0]?.[1]).toEqual(['Delete beta', 'Settings of beta'])
  expect(namesOf('reset key alp', false)).toEqual([['Results', []]])
  const [group] = groupsFor('reset beta', all)
  expect(group?.items[0]).toMatchObject({ name: 'Rotate the SSH key of beta', does: '/servers/b/settings', begins: '#reset-key' })
})

test('an action for a site is found by a verb and its domain, and leads to where it starts', () => {
  const subjects = siteItems([{ id: 's', domain: 'alpha.example', aliases: [], server: 'web-01', extensions: true }])
  const found = (query: string, mayChange = true) => groupsFor(query, { ...all, subjects, mayChange })[0]?.items.map(({ name }) => name)
  expect(found('set password alpha.ex')?.[0]).toBe('Set the database password of alpha.example')
  expect(found('create backup alpha')?.[0]).toBe('Create a backup of alpha.example')
  expect(found('add alias alpha')?.[0]).toBe('Add aliases to alpha.example')
  expect(found('delete site alpha')?.[0]).toBe('Delete alpha.example')
  expect(found('delete site alpha', false)).not.toContain('Delete alpha.example')
})

test('an extension of the interface is offered only for servers whose service has it', () => {
  expect(namesOf('reboot alp')).toEqual([['Results', ['Reboot alpha']]])
  expect(namesOf('reboot foreign')).toEqual([['Results', []]])
  expect(namesOf('reboot', true, ['/servers/a', '/servers/f'])).toEqual([['Results', ['Reboot alpha']]])
  expect(namesOf('delete foreign')[0]?.[1]).toContain('Delete foreign')
})

test('a sandbox server is offered only where a service simulates servers', () => {
  const offered = (offersSandbox: boolean) =>
    actionItems({ mayChange: true, mayInvite: false, offersSandbox, requests: 0 }, handlers).map(({ entry }) => entry.name)
  expect(offered(true)).toContain('Add sandbox server')
  expect(offered(false)).not.toContain('Add sandbox server')
  expect(offered(false)).toContain('Add server')
})

/** What is found from a page, with everything that an owner may find. */
function searchFrom(path: string, query: string, { mayChange = true, recents = [] as string[] } = {}) {
  const subjects = [
    ...serverItems([{ ...server('a', 'alpha'), address: '192.0.2.10' }, server('b', 'beta', false, false)], mayChange),
    ...siteItems([
      { id: 's', domain: 'shop.example', aliases: ['xn--mnchen-3ya.example', 'www.shop.example'], server: 'alpha', extensions: true },
    ]),
  ]
  const others = [
    ...placeItems(new Date('2026-11-28T03:00:00Z'), 'America/St_Johns'),
    ...personItems([{ id: 'p', name: 'Robin Ekholm' }], mayChange),
    ...jobItems(
      [
        { id: 'j2', title: 'Back up shop.example', state: 'failed', startedAt: '2026-11-28T02:40:00Z' },
        { id: 'j1', title: 'Install alpha', state: 'done', startedAt: '2026-11-20T14:05:00Z' },
      ],
      { timeZone: 'America/St_Johns', now: Date.parse('2026-11-28T03:00:00Z') },
    ),
  ]
  const actions = actionItems({ mayChange, mayInvite: mayChange, offersSandbox: false, requests: 0 }, handlers)
  return groupsFor(query, { here: findHere(path, subjects, mayChange), subjects, others, actions, recents, mayChange })
}
const firstFrom = (...[path, query, options]: Parameters<typeof searchFrom>) => searchFrom(path, query, options)[0]?.items[0]

test('on a page of a server its actions come first, then its other pages, then what was recent, without itself', () => {
  const groups = searchFrom('/servers/a/cron', '', { recents: ['/servers/a', '/sites/s'] })
  expect(groups.map(({ title }) => title)).toEqual(['alpha', 'Recent', 'Go to', 'Actions'])
  const [own, recent] = groups.map(({ items }) => items.map(({ name }) => name))
  expect(own?.slice(0, 2)).toEqual(['Add cron job', 'Add system user'])
  expect(own).toContain('Delete server')
  expect(own?.slice(own.indexOf('Overview'))).toEqual([
    'Overview',
    'Sites',
    'Logs',
    'Mail queue',
    'Backups',
    'System users',
    'Firewall',
    'Settings',
  ])
  expect(recent).toEqual(['shop.example'])
})

test('on a page of a site a word means that site first; deleting leads to the dialog that asks', () => {
  expect(firstFrom('/sites/s/logs', 'backup')).toMatchObject({ name: 'Create backup', note: 'shop.example', does: '/sites/s/backups' })
  expect(firstFrom('/sites/s', 'delete')).toMatchObject({ name: 'Delete site', does: '/sites/s', begins: '#delete-site' })
  expect(firstFrom('/sites/s', 'ssl')).toMatchObject({ name: 'SSL', note: 'shop.example', does: '/sites/s/ssl' })
  expect(firstFrom('/sites/s', 'delete', { mayChange: false })?.kind).not.toBe('Action')
})

test('what is called exactly as typed comes before the actions of the open page', () => {
  expect(firstFrom('/servers/a', 'beta')?.does).toBe('/servers/b')
  expect(firstFrom('/servers/a', 'jobs')?.does).toBe('/jobs')
  expect(firstFrom('/servers/a', 'cron')?.does).toBe('/servers/a/cron')
})

test('nothing is found twice, and of a service without extensions nothing that it does not have', () => {
  const ids = searchFrom('/servers/a', 'a', { recents: ['/servers/a'] }).flatMap(({ items }) => items.map(({ id }) => id))
  expect(new Set(ids).size).toBe(ids.length)
  const named = (path: string) => searchFrom(path, 'reboot')[0]?.items.map(({ name }) => name)
  expect([named('/servers/a'), named('/servers/b')]).toEqual([['Reboot server'], []])
})

test('a server or site that the reader does not see, and a page that is about none, have no actions', () => {
  for (const path of ['/servers/gone', '/servers/new', '/servers', '/', '/jobs/a']) expect(searchFrom(path, '')[0]?.title).toBe('Go to')
})

test.each([
  ['invite', 'Invite member', '/team'],
  ['passkey', 'Passkeys', '/account#passkeys'],
  ['2fa', 'Second factor', '/account#second-factor'],
  ['failed', 'Failed jobs', '/jobs?outcome=failed'],
  ['192.0.2.10', 'alpha', '/servers/a'],
  ['shop.example', 'shop.example', '/sites/s'],
  ['münchen', 'shop.example', '/sites/s'],
  ['www.shop', 'shop.example', '/sites/s'],
  // Jobs by what they did and when, in the reader's time zone.
  ['back up shop', 'Back up shop.example, today 23:10', '/jobs/j2'],
  ['install alpha', 'Install alpha, 20 Nov 10:35', '/jobs/j1'],
  ['robin', 'Robin Ekholm', '/team/p/access'],
  ['activity robin', 'Activity of Robin Ekholm', '/activity?person=p'],
  // 03:00 in UTC is the evening before in St John's.
  ['last night', 'Jobs of last night', '/jobs?from=2026-11-26&to=2026-11-27'],
  ['198.51.100.7', 'Activity about 198.51.100.7', '/activity?target=198.51.100.7'],
  ['2001:db8::7', 'Activity about 2001:db8::7', '/activity?target=2001%3Adb8%3A%3A7'],
  ['new.example', 'Add site new.example', '/sites/new?domain=new.example'],
])('%s finds %s', (query, name, does) => {
  expect(firstFrom('/', query)).toMatchObject({ name, does })
})

test('a job that failed is found by that, after the list of all that did', () => {
  const [list, , job] = searchFrom('/', 'failed')[0]?.items ?? []
  expect(list?.name).toBe('Failed jobs')
  expect(job).toMatchObject({ kind: 'Job', note: 'Failed', does: '/jobs/j2' })
})

test('who may change nothing is offered neither an invitation nor a site for an unknown domain', () => {
  expect(firstFrom('/', 'invite', { mayChange: false })).toMatchObject({ name: 'Team' })
  expect(firstFrom('/', 'new.example', { mayChange: false })).toMatchObject({ name: 'Activity about new.example' })
  expect(firstFrom('/', 'robin', { mayChange: false })).toMatchObject({ does: '/activity?person=p' })
})
