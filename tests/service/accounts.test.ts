import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Account, isPerson, parseAccounts } from '@/lib/service/machines/accounts'
import { createUsers } from '@/lib/service/machines/users'

/** As printed by Debian 13. */
const recorded = `UID_MIN			 1000
UID_MAX			60000
root:x:0:0:root:/root:/bin/bash
sync:x:4:65534:sync:/bin:/bin/sync
_apt:x:42:65534::/nonexistent:/usr/sbin/nologin
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
sshd:x:995:65534:sshd user:/run/sshd:/usr/sbin/nologin
Anna.K:x:1000:1001:Anna, Żółw,,:/home/Anna.K:/bin/sh
`

test('people’s system users and system accounts are distinguished by the server’s own id ranges', () => {
  const known = parseAccounts(recorded)
  expect(known.accounts.map(({ name, uid }) => [name, uid])).toEqual([
    ['root', 0],
    ['sync', 4],
    ['_apt', 42],
    ['nobody', 65534],
    ['sshd', 995],
    ['Anna.K', 1000],
  ])
  expect(known.accounts.filter((account) => isPerson(account, known)).map(({ name }) => name)).toEqual(['Anna.K'])
  const other = parseAccounts(recorded.replace(/1000$/m, '500'))
  expect(other.accounts.filter((account) => isPerson(account, other)).map(({ name }) => name)).toEqual(['sshd', 'Anna.K'])
})

test('without id ranges on the server, Debian’s apply; malformed lines are skipped', () => {
  const text = ['+::::::', '# x:x:1:1::/:/bin/sh', 'short:x:1', 'word:x:many:1::/:/bin/sh', ' led:x:1:1::/:/bin/sh', ''].join('\n')
  expect(parseAccounts(text)).toEqual({ accounts: [], uidMin: 1000, uidMax: 60_000 })
})

const part = fc.stringMatching(/^[^:\n\r]{0,12}$/)
const account = fc.record({ name: fc.stringMatching(/^[a-zA-Z_][\w.-]{0,20}$/), uid: fc.nat(4_294_967_295), home: part })

test('a list written in the format of /etc/passwd is read back unchanged', () => {
  const write = ({ name, uid, home }: Account, comment: string) => `${name}:x:${uid}:${uid}:${comment}:${home}:/bin/sh`
  fc.assert(
    fc.property(fc.array(account), part, (accounts, comment) => {
      const text = accounts.map((each) => write(each, comment)).join('\n')
      expect(parseAccounts(text).accounts).toEqual(accounts)
    }),
  )
})

test('a password for the user of a site that was half deleted creates no user, who would have a shell', async () => {
  const created: string[] = []
  const users = createUsers(
    {
      read: async () => recorded,
      create: async (name) => {
        created.push(name)
        return { kind: 'done' }
      },
      setPassword: async () => ({ kind: 'done' }),
      remove: async () => ({ kind: 'done' }),
    },
    'root',
  )
  await expect(users.setPassword('site12ab', 'long enough')).rejects.toMatchObject({ problem: { code: 'changed_meanwhile' } })
  await expect(users.setPassword('root', 'long enough')).rejects.toMatchObject({ problem: { code: 'invalid' } })
  await users.setPassword('Anna.K', 'long enough')
  expect(created).toEqual([])
})
