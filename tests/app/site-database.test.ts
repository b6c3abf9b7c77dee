/** What the page of a site's database makes of the service's answers. */
import { expect, test } from 'vitest'
import { connectionCommands } from '@/app/(portal)/sites/[siteId]/database/database-view'
import { tableRows, totalBytes } from '@/app/(portal)/sites/[siteId]/database/tables'

const access = { name: 'site_db', user: 'site_user', host: 'localhost', server: '192.0.2.10', sshPort: '22' }

test('the commands to connect name the server, the user and the database, and no password', () => {
  expect(connectionCommands(access)).toEqual({
    tunnel: 'ssh -L 3307:localhost:3306 USER@192.0.2.10',
    client: 'mariadb -h 127.0.0.1 -P 3307 -u site_user -p site_db',
  })
})

test('another port and addresses of IPv6 are written as ssh reads them', () => {
  expect(connectionCommands({ ...access, host: '::1', server: '2001:db8::10', sshPort: '2222' })?.tunnel).toBe(
    'ssh -p 2222 -L 3307:[::1]:3306 USER@2001:db8::10',
  )
})

test.each([
  ['another command', { name: 'x; rm -rf ~' }],
  ['a substitution', { user: '$(id)' }],
  ['an option', { name: '--init-command=x' }],
  ['an option to ssh', { server: '-oProxyCommand=x' }],
  ['a second line', { host: 'localhost\nid' }],
  ['an unknown address', { server: '' }],
])('there are no commands to paste if a part of them is %s', (_, part) => {
  expect(connectionCommands({ ...access, ...part })).toBeNull()
})

test('tables get their sizes and rows by name; without any, no total is known', () => {
  const details = [{ name: 'wp_posts', bytes: 4096, rows: 12 }]
  const rows = tableRows({ tables: ['wp_options', 'wp_posts', 'wp_posts'], details })
  expect(rows).toEqual([
    { id: 'wp_options', bytes: null, rows: null },
    { id: 'wp_posts', bytes: 4096, rows: 12 },
  ])
  expect(totalBytes(rows)).toBe(4096)
  expect(totalBytes(tableRows({ tables: ['wp_options'], details: undefined }))).toBeNull()
})
