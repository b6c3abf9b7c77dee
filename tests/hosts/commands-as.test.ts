/** /usr/lib/gatehouse/as.sh of the package: a command runs as a half's user, with the settings as systemd reads them for its unit, and no shell runs that file. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { must } from './deployment'
import { type Host, type Release, startHost } from './lab/lab'
import { debians } from './releases'

const script = '/usr/lib/gatehouse/as.sh'

/** Each line as an operator writes it, and what the unit makes of it. */
const lines: [written: string, value: string][] = [
  ['MAIL_FROM=Gatehouse <gatehouse@example.org>', 'Gatehouse <gatehouse@example.org>'],
  ['OIDC_NAME=Company id', 'Company id'],
  ['A1="in quotes"', 'in quotes'],
  ["A2='single $HOME'", 'single $HOME'],
  ['A3=$(touch /root/executed)`touch /root/executed`', '$(touch /root/executed)`touch /root/executed`'],
  ['A4=first; touch /root/executed', 'first; touch /root/executed'],
  ['A5=one \\\ntwo', 'one two'],
  ['  A6 = spaces around  ', 'spaces around'],
  ['A7=#no comment', '#no comment'],
  ['A8=', ''],
]

async function makeHost(release: Release): Promise<Host> {
  const host = await startHost({ login: { kind: 'root-key' }, release })
  await must(
    host,
    `install -d /usr/lib/gatehouse /opt/gatehouse/current && cat >${script} && chmod 755 ${script}`,
    readFileSync('deploy/deb/as.sh', 'utf8'),
  )
  await must(host, 'for half in portal service; do useradd --system gatehouse-$half; done; install -d -m 700 /etc/gatehouse')
  const comments = '# A comment\n; another one\n\n'
  await must(host, 'umask 077; cat >/etc/gatehouse/portal.env', `${comments}${lines.map(([written]) => written).join('\n')}\n`)
  return host
}

test.each(debians)('$debian: a command gets the settings that the unit gets, whatever they look like to a shell', async ({ release }) => {
  await using host = await makeHost(release)
  const variables = new Map(
    (await must(host, `${script} portal env -0`))
      .split('\0')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  const names = lines.map(([written]) => written.split('=', 1)[0]?.trim() ?? '')
  expect(names.map((name) => [name, variables.get(name)])).toEqual(lines.map(([, value], place) => [names[place], value]))
  expect((await host.run('test -e /root/executed')).code).toBe(1)
  expect([variables.get('GATEHOUSE_DATA'), variables.get('GATEHOUSE_KEYS')]).toEqual(
    ['data', 'keys'].map((name) => `/var/lib/gatehouse-portal/${name}`),
  )

  expect(await must(host, `${script} portal printf '%s|' '$HOME' '\${HOME}' 'a  b' '100%' '$$' ''`)).toBe(`$HOME|\${HOME}|a  b|100%|$$||`)
  // What a shell did in its place: its user, its folder, its streams and how it ended.
  expect((await must(host, `cd /tmp && ${script} service sh -c 'id -un; pwd; cat'`, 'from stdin')).trim()).toBe(
    'gatehouse-service\n/opt/gatehouse/current\nfrom stdin',
  )
  const { code, stderr } = await host.run(`${script} portal sh -c 'echo "an error" >&2; exit 7'`)
  expect([code, stderr.trim()]).toEqual([7, 'an error'])
  expect(await host.run(`${script} both true`)).toMatchObject({ code: 2, stderr: expect.stringContaining('neither service nor portal') })
})

test.each(debians)('$debian: a command that is interrupted ends', async ({ release }) => {
  await using host = await makeHost(release)
  await must(host, `(exec timeout --foreground -s TERM 2 ${script} portal sleep 4321) || true`)
  await expect.poll(async () => (await host.run('pgrep -f "sleep 4321"')).code, { timeout: 20_000 }).toBe(1)
})
