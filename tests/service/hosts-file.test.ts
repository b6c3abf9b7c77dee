import { expect, test } from 'vitest'
import { nameInHosts } from '@/lib/service/machines/hosts-file'

const debian = '127.0.0.1\tlocalhost\n127.0.1.1\told.example.org\told\n\n# IPv6\n::1 localhost ip6-localhost\n'

test.each([
  ['an empty file', '', '', 'web', '127.0.1.1\tweb\n'],
  [
    'a file without the line',
    '127.0.0.1 localhost\n::1 localhost\n',
    'old',
    'web.example.org',
    '127.0.0.1 localhost\n127.0.1.1\tweb.example.org web\n::1 localhost\n',
  ],
  ['Debian’s own line', debian, 'old.example.org', 'web', debian.replace('old.example.org\told', 'web')],
  ['a name known by its short form', debian, 'old', 'web', debian.replace('old.example.org\told', 'web old.example.org')],
  ['names a person added', '127.0.1.1 old app.local # mine\n127.0.1.1 db.local old\n', 'old', 'web', '127.0.1.1\tweb app.local db.local\n'],
  ['a file without an end of line', '127.0.0.1 localhost', 'old', 'web', '127.0.0.1 localhost\n127.0.1.1\tweb\n'],
  ['the name as it is already', '127.0.1.1\tweb\n', 'web', 'web', '127.0.1.1\tweb\n'],
])('%s gets one line for the hostname', (_, text, former, name, expected) => {
  expect(nameInHosts(text, former, name)).toBe(expected)
})

test('repeating the change has no effect, and other lines stay byte for byte', () => {
  const foreign = '# 127.0.1.1 not this\n10.0.0.5\tdb  db.internal\t# caf\xe9\n127.0.1.10 other\n'
  const once = nameInHosts(foreign, 'old', 'a.example.org')
  expect(nameInHosts(once, 'a.example.org', 'a.example.org')).toBe(once)
  expect(
    once
      .split('\n')
      .filter((line) => !line.startsWith('127.0.1.1\t'))
      .join('\n'),
  ).toBe(foreign)
})
