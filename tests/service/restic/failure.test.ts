/** What the outputs of restic on the machine of the service mean. */
import { expect, test } from 'vitest'
import { failureOf, isRetriedInVain } from '@/lib/service/restic/failure'

test('what SFTP denies after the login is a matter of the folder, and not of the key or a clock', () => {
  const line = 'Remove(<snapshot/0123abcd>) returned error, retrying after 500ms: sftp: "Permission denied" (SSH_FX_PERMISSION_DENIED)'
  expect(failureOf(1, line).why).toBe('denied')
  expect(isRetriedInVain(line)).toBe(true)
  expect(failureOf(1, 'Fatal: Access Denied.').why).toBe('key')
})
