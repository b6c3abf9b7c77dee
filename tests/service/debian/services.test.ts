/** Services as systemd shows them. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { parseUnits } from '@/lib/service/machines/debian/facts/services'
import { readScript } from '@/lib/service/machines/debian/script'
import { describeServices, isRestartable } from '@/lib/service/machines/services'

const block = (id: string, active: string, sub: string, at = 1_795_000_000, load = 'loaded') =>
  `Id=${id}\nLoadState=${load}\nActiveState=${active}\nSubState=${sub}\nStateChangeTimestamp=@${at}\n`

const show = (...blocks: string[]) =>
  describeServices(parseUnits(blocks.join('\n'))).map(({ unit, name, state, running, all, restarts }) => [
    unit,
    name,
    state,
    running,
    all,
    restarts,
  ])

test('services are listed in the order of the closed list, by name and state; others are left out', () => {
  expect(
    show(
      block('ssh.service', 'active', 'running'),
      block('php8.2-fpm.service', 'active', 'running'),
      block('cron.service', 'inactive', 'dead', 0),
      block('php8.10-fpm.service', 'activating', 'auto-restart'),
      block('apache2.service', 'failed', 'failed'),
      block('nginx.service', 'inactive', 'dead', 0, 'not-found'),
      block('user@0.service', 'active', 'running'),
      block('fail2ban.service', 'inactive', 'dead', 0, 'masked'),
    ),
  ).toEqual([
    ['apache2.service', 'Apache', 'failed', 0, 1, true],
    ['php8.2-fpm.service', 'PHP 8.2', 'running', 1, 1, true],
    ['php8.10-fpm.service', 'PHP 8.10', 'starting', 0, 1, true],
    ['cron.service', 'Cron', 'stopped', 0, 1, true],
    ['ssh.service', 'SSH', 'running', 1, 1, false],
  ])
})

test('units of sites count as one service, and a service that starts other units has their state', () => {
  expect(
    show(
      block('postfix.service', 'active', 'exited'),
      block('postfix@-.service', 'failed', 'failed'),
      block('gatehouse-php8.2@shop.service', 'active', 'running'),
      block('gatehouse-php8.2@blog.service', 'inactive', 'dead'),
      block('gatehouse-php8.4@wiki.service', 'active', 'running'),
    ),
  ).toEqual([
    ['gatehouse-php8.2@*.service', 'PHP 8.2 of the sites', 'stopped', 1, 2, true],
    ['gatehouse-php8.4@*.service', 'PHP 8.4 of the sites', 'running', 1, 1, true],
    ['postfix.service', 'Postfix', 'failed', 0, 1, true],
  ])
  expect(parseUnits(block('cron.service', 'active', 'running'))).toEqual([{ unit: 'cron.service', state: 'running', since: 1_795_000_000 }])
})

test('only units of the closed list are restarted, and SSH never', () => {
  const accepted = ['apache2.service', 'php8.2-fpm.service', 'gatehouse-php8.2@*.service', 'mariadb.service', 'cron.service']
  expect(accepted.filter((unit) => !isRestartable(unit))).toEqual([])
  const refused = [
    'ssh.service',
    'sshd.service',
    'apache2',
    'reboot.target',
    'php8.2-fpm.service; reboot',
    '*.service',
    'gatehouse-php8.2@shop.service',
    'gatehouse-php*@*.service',
    'postfix@-.service',
    'constructor.service',
    '',
  ]
  expect(refused.filter(isRestartable)).toEqual([])
})

test('a systemd that knows no seconds since 1970 says which services there are, without since when', () => {
  const systemctl = `systemctl() {
    case $* in
      list-unit-files*) echo 'cron.service enabled enabled' ;;
      *--timestamp=unix*) echo 'Invalid value: unix.' >&2; return 1 ;;
      *cron.service) printf '%s\\n' Id=cron.service LoadState=loaded ActiveState=active SubState=running 'StateChangeTimestamp=Sat 2026-11-28 10:00:00 UTC' ;;
    esac
  }`
  const printed = execFileSync('bash', ['-c', `${systemctl}\n${readScript('facts/services.bash')}`], { encoding: 'utf8' })
  expect(parseUnits(printed)).toEqual([{ unit: 'cron.service', state: 'running', since: 0 }])
})
