/** What Activity calls the things that were done. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operations } from '@/lib/contract'
import { describeJob } from '@/lib/portal/subjects/cron/job'
import { describeRule } from '@/lib/portal/subjects/firewall/describe-rule'
import { actionNames, describeAction } from '@/lib/portal/views/activity/sentences'
import { actionsOf } from '@/lib/portal/views/activity/words'

test('every operation and every event has a sentence without its id, for both successes and failures', () => {
  expect(actionNames.length).toBeGreaterThan(48)
  for (const action of actionNames) {
    for (const result of ['done', 'failed', 'denied', 'open']) {
      const said = describeAction(action, {}, result)
      expect([action, said]).toEqual([action, expect.stringMatching(/^[A-Z][a-z]+( [\w,-]+)+$/)])
      expect(said).not.toContain(action)
      expect(said).not.toContain('doesn’t know')
    }
  }
})

test('every action name that the portal logs has a sentence', () => {
  const files = readdirSync('lib/portal', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const sources = files.map((file) => readFileSync(join('lib/portal', file), 'utf8')).join('\n')
  const named = /(?:action: |action = |undoName = |recordDenied(?:Read)?\(actor, |recorded\(|eventOf\(actor, )'([a-z]\w+\.\w+)'/g
  const recorded = [...sources.matchAll(named)].map(([, name]) => name)
  expect(recorded).toEqual(expect.arrayContaining(['session.signIn', 'servers.show', 'key.rotate', 'activity.undo']))
  expect(recorded.filter((name) => !actionNames.includes(name ?? ''))).toEqual([])
})

test('an action logged by another version is not shown by its id', () => {
  expect(describeAction('sites.teleport', {}, 'done')).toBe('Did something this version of Gatehouse doesn’t know')
})

test.each([
  ['aliases.save', { 'field.alias': 'www.xn--mnchen-3ya.example' }, 'Added the alias www.münchen.example'],
  ['sites.create', { 'field.domain': 'xn--mnchen-3ya.example' }, 'Created the site münchen.example'],
  ['cron.save', { about: 'curl www.xn--mnchen-3ya.example/A' }, 'Saved the cron job curl www.xn--mnchen-3ya.example/A'],
  ['firewall.toggle', { 'field.status': '0' }, 'Turned the firewall off'],
  ['firewall.toggle', { 'field.status': '1' }, 'Turned the firewall on'],
  ['servers.upgradeAtNight', { 'field.status': '1' }, 'Turned nightly updates of older sites on'],
  ['firewall.deleteRule', { 'field.id': '3', about: 'ALLOW 22/tcp from Anywhere' }, 'Deleted the rule ALLOW 22/tcp from Anywhere'],
  ['firewall.deleteRule', { 'field.id': '3' }, 'Deleted a firewall rule'],
  ['cron.save', { about: '0 3 * * * /usr/bin/backup …' }, 'Saved the cron job 0 3 * * * /usr/bin/backup …'],
  ['cron.delete', { 'field.line': '7' }, 'Deleted a cron job'],
  ['labels.add', { label: 'prod' }, 'Added the label “prod”'],
  ['servers.update', { name: 'web-01', 'field.name': 'web-02', 'field.dns': 'x' }, 'Changed the name to web-02'],
  ['servers.update', { name: 'web-01', 'field.name': 'web-01', 'field.dns': '' }, 'Changed the DNS provider to none'],
  ['users.delete', { 'field.user': 'deploy' }, 'Deleted the system user deploy'],
  ['email.set', { 'field.status': '1', 'field.anyway': '0' }, 'Turned email on'],
  ['email.set', { 'field.status': '1', 'field.anyway': '1' }, 'Turned email on, although DNS names another mail server'],
  [
    'email.save',
    { 'field.user': 'info', 'field.destination': 'a@example.net' },
    'Saved the email address info, forwarding to a@example.net',
  ],
  ['email.delete', { 'field.user': 'info' }, 'Deleted the email address info'],
  ['mail.delete', { 'field.ids': 'A1, B2' }, 'Deleted queued messages A1, B2'],
  ['serverBackups.delete', { 'field.ids': 'one.tar' }, 'Deleted the backup one.tar'],
  ['team.setIdleSignOut', { count: 60 }, 'Set the sign-out to 60 minutes without activity'],
  ['apps.install', { about: 'wordpress' }, 'Installed the app wordpress'],
  ['apps.pull', { 'field.files': '1', 'field.database': '0' }, 'Set the staging copy to the files of the live site'],
  ['apps.pull', { 'field.files': '0', 'field.database': '0', 'field.new_password': '1' }, 'Set the password of the staging copy'],
  [
    'apps.push',
    { 'field.files': '1', 'field.database': '1', 'field.tables': 'wp_posts, wp_options' },
    'Replaced the files and the tables wp_posts, wp_options of the live site with those of staging',
  ],
  [
    'apps.push',
    { 'field.files': '1', 'field.database': '1', 'field.tables': 'x'.repeat(200) },
    'Replaced the files and many tables of the live site with those of staging',
  ],
] as const)('%s, %j: %s', (action, detail, said) => {
  expect(describeAction(action, detail, 'done')).toBe(said)
})

test('an action that failed is not described as done', () => {
  expect(describeAction('firewall.toggle', { 'field.status': '0' }, 'failed')).toBe('Turn the firewall off')
})

const times = { user: 'root', minute: '0', hour: '3', dom: '*', mon: '*', dow: '*' }
const daily = { user: 'root', minute: '@daily', hour: '', dom: '', mon: '', dow: '' }

test('security 1: a job is described by its schedule and program, never by the program’s arguments', () => {
  expect(describeJob({ ...times, command: '/usr/bin/backup --password hunter2' })).toBe('0 3 * * * /usr/bin/backup …')
  expect(describeJob({ ...daily, command: 'certbot' })).toBe('@daily certbot')
  for (const command of ['TOKEN=hunter2 /usr/bin/x', 'https://a:hunter2@b', '"hunter2"', 'a;hunter2', `${'hunter2'.repeat(20)}`, ''])
    expect(describeJob({ ...times, command })).toBe('0 3 * * * …')
})

test('a rule is named in the words it was written in', () => {
  const listed = { id: '1', action: 'ALLOW', port: '22', protocol: 'tcp', from: 'Anywhere', v6: '' }
  expect(describeRule(listed)).toBe('ALLOW 22/tcp from Anywhere')
  expect(describeRule({ ...listed, from: 'Anywhere (v6)', v6: '(v6)' })).toBe('ALLOW 22/tcp from Anywhere (IPv6)')
  expect(describeRule({ action: 'deny', port: 'any', protocol: 'any', from: '10.0.0.0/8' })).toBe('DENY everything from 10.0.0.0/8')
})

test('every operation is in one of the groups that Activity can be filtered by', () => {
  const grouped = (['changes', 'deletions', 'reads'] as const).flatMap((kind) => actionsOf(kind).ids)
  expect(operations.map(({ id }) => id).filter((id) => grouped.filter((other) => other === id).length !== 1)).toEqual([])
})
