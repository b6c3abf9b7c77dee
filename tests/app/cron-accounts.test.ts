/** Whose cron jobs the form offers. */
import { expect, test } from 'vitest'
import { accountsFor } from '@/app/(portal)/servers/[serverId]/cron/jobs'

test('every account is offered once: root, those of people, and those of sites with their domains', () => {
  const jobs = [{ user: 'deploy' }, { user: 'shop1a2b' }, { user: 'gone' }]
  const siteUsers = [{ user: 'shop1a2b', domain: 'shop.example' }]
  expect(accountsFor({ listed: [{ name: 'deploy' }, { name: 'root' }], siteUsers, jobs })).toEqual([
    { user: 'root', domain: '' },
    { user: 'deploy', domain: '' },
    { user: 'gone', domain: '' },
    { user: 'shop1a2b', domain: 'shop.example' },
  ])
  expect(accountsFor({ listed: [], siteUsers: [], jobs: [] })).toEqual([{ user: 'root', domain: '' }])
})
