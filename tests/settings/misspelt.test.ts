import { expect, test } from 'vitest'
import { describeMisspelt } from '@/lib/settings/misspelt'

const settings = ['HOST', 'PORT', 'PUBLIC_URL', 'SMTP_URL', 'MAIL_FROM', 'TRUSTED_PROXIES', 'OIDC_ISSUER', 'GATEHOUSE_DATA', 'LOG_LEVEL']

test.each([
  ['PUBLIC_URI', 'PUBLIC_URL'],
  ['SMPT_URL', 'SMTP_URL'],
  ['MAILFROM', 'MAIL_FROM'],
  ['MAIL_FORM', 'MAIL_FROM'],
  ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
  ['OICD_ISSUER', 'OIDC_ISSUER'],
  ['public_url', 'PUBLIC_URL'],
  ['Port', 'PORT'],
  ['LOG-LEVEL', 'LOG_LEVEL'],
  ['GATEHOUSE_DATEN', 'GATEHOUSE_DATA'],
])('%s is named together with %s', (name, meant) => {
  expect(describeMisspelt({ [name]: 'x', PORT: '1' }, settings)).toEqual([
    `${name} is not a setting and has no effect. Did you mean ${meant}?`,
  ])
})

test.each(['OIDC_SCOPES', 'SMTP_SERVER_NAME', 'GATEHOUSE_VERBOSE', 'smtp_encryption'])('%s is named as none of the settings', (name) => {
  expect(describeMisspelt({ [name]: 'x' }, settings)).toEqual([expect.stringMatching(`^${name} is not a setting .* docs/running.md`)])
})

test('what other programs use is not named', () => {
  const names = [
    'PATH',
    'HOME',
    'USER',
    'LANG',
    'TERM',
    'SHELL',
    'PWD',
    'HOSTNAME',
    'POST',
    'HOSTS',
    'PORTS',
    'npm_config_registry',
    'NODE_ENV',
    'NODE_OPTIONS',
    'INVOCATION_ID',
    'JOURNAL_STREAM',
    'STATE_DIRECTORY',
    'CREDENTIALS_DIRECTORY',
    'HTTP_PROXY',
    'GATEHOUSE_BUILD',
    'GATEHOUSE_SETTINGS',
    'GATEHOUSE_NODE',
    'DATABASE_URL',
    'SYSTEMD_EXEC_PID',
    'LOGNAME',
    'LS_COLORS',
    'SSH_CONNECTION',
    'x'.repeat(5000),
  ]
  expect(describeMisspelt(Object.fromEntries([...names, ...settings].map((name) => [name, 'x'])), settings)).toEqual([])
})
