/** Whoever guesses passwords is slowed, on both releases: by sshd itself, or by fail2ban. Gatehouse gets in from wherever others guess. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openChance } from '../support/seeds'
import { type Host, startHost } from './lab/lab'
import { admitTo } from './reach'
import { someDebians } from './releases'
import { useHostWithSites } from './sites/host-with-sites'
import { sftp } from './sites/sftp'
import { siteNamed, sitePassword } from './sites/site-job'

const chance = openChance()
const one = siteNamed('oneguess1a2b', 'one.test')

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  const admitted = useHostWithSites(release, [one])
  let stranger: Host
  beforeAll(async () => {
    stranger = await startHost({ login: { kind: 'root-key' }, release })
    await stranger.run('printf "#!/bin/sh\\ncat /root/password\\n" >/root/ask && chmod 700 /root/ask')
  })
  afterAll(() => stranger?.stop())

  /** What the client says that runs on that host. */
  const signIn = async (from: Host, password: string): Promise<string> => {
    await from.run('cat >/root/password', { stdin: `${password}\n` })
    const options =
      'StrictHostKeyChecking=no UserKnownHostsFile=/dev/null PubkeyAuthentication=no NumberOfPasswordPrompts=1 ConnectTimeout=10'
        .split(' ')
        .map((each) => `-o ${each}`)
        .join(' ')
    const asking = 'env SSH_ASKPASS=/root/ask SSH_ASKPASS_REQUIRE=force setsid -w timeout 20'
    const { stdout, stderr } = await from.run(`echo pwd | ${asking} sftp ${options} ${one.name}@${admitted().host.ip}`)
    return stdout + stderr
  }
  const letIn = 'Remote working directory: /public'
  const wrong = 'Permission denied'

  test('after some wrong passwords the right one gets no answer from that address, and others get in', async () => {
    const { host } = admitted()
    expect(await signIn(stranger, sitePassword)).toContain(letIn)
    const said: string[] = []
    // A ban takes a moment.
    while (said.length < 25 && said.every((each) => each.includes(wrong))) said.push(await signIn(stranger, `guess ${said.length}`))
    expect(said[0]).toContain(wrong)
    expect(said.at(-1)).toMatch(/Connection (refused|closed|reset)|Not allowed at this time/)
    expect(await signIn(stranger, sitePassword)).not.toContain(letIn)
    // The firewall that the page shows stays as it is.
    expect((await host.run('ufw status verbose')).stdout).not.toContain(stranger.ip)
    expect((await host.run('ufw reload && ufw status | head -n 1')).stdout).toContain('active')
    expect(await signIn(stranger, sitePassword)).not.toContain(letIn)
    // By its own address.
    await host.run('printf "#!/bin/sh\\ncat /root/password\\n" >/root/ask && chmod 700 /root/ask')
    expect(await signIn(host, sitePassword)).toContain(letIn)
    expect(await sftp(host, one.name, sitePassword, ['pwd'])).toContain(letIn)
  }, 300_000)

  test('wrong passwords from the address of Gatehouse keep neither it nor the site’s user out', async () => {
    const { host } = admitted()
    for (let tries = 0; tries < 15; tries++) expect(await sftp(host, one.name, `guess ${tries}`, ['pwd'])).toContain(wrong)
    expect(await sftp(host, one.name, sitePassword, ['pwd'])).toContain(letIn)
    await using again = await admitTo(host)
    expect((await again.machine.sites.facts([one])).has(one.name)).toBe(true)
  }, 300_000)
})
