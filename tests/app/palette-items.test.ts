import { expect, test } from 'vitest'
import { actionItems, groupsFor, serverItems } from '@/app/_shared/palette/palette-items'

const deeds = { setTheme: () => undefined, signOut: () => undefined, showShortcuts: () => undefined }
const server = (id: string, name: string, installable = false) => ({
  id,
  name,
  hostname: `${name}.example.org`,
  sandbox: false,
  installable,
})
const known = [server('a', 'alpha'), server('b', 'beta', true)]
const namesOf = (query: string, mayChange = true, recents: string[] = []) =>
  groupsFor(query, serverItems(known, mayChange), actionItems(mayChange, deeds), recents).map(({ title, items }) => [
    title,
    items.map(({ name }) => name),
  ])

test('before anything is typed: servers looked at lately that are still there, pages, actions', () => {
  const [recent, pages, actions] = namesOf('', true, ['/servers/b', '/servers/gone'])
  expect(recent).toEqual(['Recent', ['beta']])
  expect(pages).toEqual(['Go to', ['Home', 'Servers', 'Jobs', 'Keys', 'Activity', 'Account']])
  expect(actions?.[1]).toContain('Sign out')
})

test('a server is found by name and hostname, its install only while it lacks one', () => {
  expect(namesOf('beta.example')).toEqual([['Results', ['beta', 'Install beta']]])
  expect(namesOf('install')).toEqual([['Results', ['Install beta', 'Jobs']]])
  expect(namesOf('alpha')).toEqual([['Results', ['alpha']]])
})

test('whoever may only look is offered nothing that changes', () => {
  expect(namesOf('install', false)).toEqual([['Results', ['Jobs']]])
  expect(namesOf('add server', false)).toEqual([['Results', []]])
})

test('choosing an install leads to its page and starts nothing', () => {
  const [group] = groupsFor('install beta', serverItems(known, true), [], [])
  expect(group?.items[0]?.does).toBe('/servers/b/install')
})

test('a page of a server is found by its word and the server’s name, alone it is that of the servers looked at lately', () => {
  expect(namesOf('cron alp')).toEqual([['Results', ['Cron jobs of alpha']]])
  expect(namesOf('beta cront')).toEqual([['Results', ['Cron jobs of beta']]])
  expect(namesOf('cron', false, ['/servers/b'])).toEqual([['Results', ['Cron jobs of beta']]])
  expect(namesOf('journal alp')).toEqual([['Results', ['Logs of alpha']]])
  expect(namesOf('mail alp')).toEqual([['Results', ['Mail queue of alpha']]])
  expect(namesOf('cr alpha')).toEqual([['Results', []]])
  const [group] = groupsFor('cron beta', serverItems(known, true), [], [])
  expect(group?.items[0]?.does).toBe('/servers/b/cron')
})
