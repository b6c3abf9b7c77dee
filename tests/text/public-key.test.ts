/** Public keys are read as ssh-keygen reads them: these are keys that it made, with what it says of them. */
import { expect, test } from 'vitest'
import { readKeyLine, readPublicKey } from '@/lib/text/public-key'

const ed25519 = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHd0DyWLPmZ87RwxlcVdsoS3CrMzaayGI7RQBbnC+JMb'
const ecdsa =
  'ecdsa-sha2-nistp384 AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBFKh76tIvVh4XwWjtHLMkvCbVuA9esqVTeyLPvIi6VmVfDaHteqx/WxuajpmN23ib4JeQduHbzznGlIKil1A2M8Il1f+H1fSFCuGf+YammKW1kbMS91T+1uZI9TgT/Y9UQ=='
const rsa =
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQCiLnpZVsO//q5qfqs+/J6zyUYV3aJjZevPkBmEIpIsEhazlqdFkPzecltlJpyuJC9KxBULhgtMVcfWAkwVQ7NNqKld75s3yyLqs0lavv85LnJzV0DWVDBN8msFPbdeLifWONn+3X5BhAe78EaBduiMYyKusqJeWXUZXI3NEcDrRialGHBu+/51PEtrXW80ynWw/IVbtg22cIg0rJpODdQjUp/0Ce0HaFeRnX/sDA3ob2Vx4JeDAUVcwlMmz9FV+dTGkPWjlmw9tMkvPEK3E5sbNJaMYGOXJCZUAqGPflCWyVFgkL7JjqPkjF8lOcyuwIU+XKlQ3StDWz6xD3coUOVP'

test.each([
  [ed25519, { type: 'ssh-ed25519', bits: null, fingerprint: 'SHA256:YnuwJ3n0dyxqi1IwGQsL3x3jdDxpcVUq81wFSvgrZRI' }],
  [ecdsa, { type: 'ecdsa-sha2-nistp384', bits: 384, fingerprint: 'SHA256:gQ4IXFMbp1k9mguiyUOSxvlZm55ilDkMW+oZd9Xq+YM' }],
  [rsa, { type: 'ssh-rsa', bits: 2048, fingerprint: 'SHA256:g7BdbT5Pu0tnKLK9kvc11I+YzWMsJkWO9gzFFHbzsPI' }],
])('type, size and fingerprint are those of ssh-keygen: %#', (line, key) => {
  expect(readPublicKey(line)).toEqual({ key: { ...key, comment: '', line } })
  expect(readPublicKey(`  ${line.replace(' ', '\t ')}   a comment "of" ü\n`)).toEqual({
    key: { ...key, comment: 'a comment "of" ü', line: `${line} a comment "of" ü` },
  })
})

test('a line of root’s with options is read, and a line without a key is none', () => {
  expect(readKeyLine(`from="192.0.2.0/24",command="echo \\"hi\\"" ${ed25519} office`)).toMatchObject({
    hasOptions: true,
    key: { comment: 'office', line: `${ed25519} office` },
  })
  expect(readKeyLine(`${ed25519} ssh-rsa AAAA`)).toMatchObject({ hasOptions: false, key: { type: 'ssh-ed25519', comment: 'ssh-rsa AAAA' } })
  for (const line of ['', '# a comment', 'ssh-ed25519', ed25519.slice(12), ed25519.replace('ssh-ed25519 ', ''), `x${ed25519}`])
    expect(readKeyLine(line)).toBeNull()
})
