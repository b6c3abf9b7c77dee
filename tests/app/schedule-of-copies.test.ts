/** What a schedule of copies says it copies. */
import { expect, test } from 'vitest'
import { describeCopied } from '@/app/_shared/backup-plans/schedule-dialog'

test('a schedule of a server or the team names servers where it copies them too, and only sites for a target of a member', () => {
  expect(describeCopied('team', true)).toBe('each site and server')
  expect(describeCopied('server', true)).toBe('this server and of each of its sites')
  expect(describeCopied('server', false)).toBe('each site of this server')
  expect(describeCopied('site', true)).toBe('this site')
})
