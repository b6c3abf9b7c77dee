/** What commands do with settings that only the administrator can mend. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test.each([
  ['lib/portal/entry/owner.ts', ['setup']],
  ['lib/portal/entry/users.ts', ['list']],
  ['lib/portal/entry/keys.ts', ['verify']],
  ['lib/portal/entry/retention/command.ts', []],
  ['lib/service/keys.ts', ['list']],
  ['lib/service/prune.ts', []],
  ['lib/service/fill.ts', ['1']],
  ['lib/backup/command.ts', ['backup', '/nowhere/copy']],
  ['lib/backup/command.ts', ['restore', '/nowhere/copy']],
  ['lib/backup/verify-command.ts', ['--identity', '/nowhere/identity']],
  ['lib/rollback/command.ts', []],
])('%s %j ends with 78 and one line that names the invalid setting', async (source, args) => {
  const env = { ...process.env, PORT: 'none', GATEHOUSE_DATA: '/nowhere/data', GATEHOUSE_KEYS: '/nowhere/keys' }
  const ended = await promisify(execFile)(process.execPath, ['--conditions=react-server', '--import', 'tsx', source, ...args], {
    env,
  }).then(
    () => null,
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
  expect(ended).toEqual({ code: 78, stdout: '', stderr: expect.stringMatching(/^PORT is invalid: [^\n]+\n$/) })
})
