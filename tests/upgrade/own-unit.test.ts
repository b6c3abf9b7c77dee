/** How systemd is asked to run a move. */
import { expect, test } from 'vitest'
import { describeUnit } from '@/lib/upgrade/own-unit'

test('the command runs where it was called, with its arguments as they are, and is followed by the recovery', () => {
  const moving = {
    release: '/opt/a "b"/releases/1.0.0',
    words: ['upgrade', 'the $HOME.tar.gz'],
    calledFrom: '/root',
    env: {} as NodeJS.ProcessEnv,
  }
  const described = describeUnit(moving, 7)
  expect(described).toEqual(expect.arrayContaining(['--unit=gatehouse-upgrade-7', '--working-directory=/root', '--wait', '--pipe']))
  expect(described).toContain('--property=ExecStopPost="/opt/a \\"b\\"/releases/1.0.0/gatehouse" upgrade --recover --start')
  expect(described.slice(described.indexOf('--'))).toEqual(['--', '/opt/a "b"/releases/1.0.0/gatehouse', 'upgrade', 'the $$HOME.tar.gz'])
  expect(describeUnit({ ...moving, env: { ...moving.env, GATEHOUSE_NODE: '/usr/bin/node' } }, 7)).toContain(
    '--setenv=GATEHOUSE_NODE=/usr/bin/node',
  )
})
