/** Setting up SFTP for sites changes SSH: what no new login confirms is undone, also by the host itself, and what cannot work is refused. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { requireSftp } from '@/lib/service/machines/debian/sites/sftp'
import type { Connections } from '@/lib/service/ssh/connections'
import { openChance } from '../support/seeds'
import type { Host } from './lab/lab'
import { type AdmittedHost, startAdmitted } from './reach'
import { someDebians } from './releases'
import { shell } from './sites/sftp'
import { sitePassword } from './sites/site-job'

const chance = openChance()

/** A system user whom SFTP for sites keeps from a shell. */
const user = 'robin'
const groupOfSites = 'gatehouse-sites'
const dropIn = '/etc/ssh/sshd_config.d/60-gatehouse-sites.conf'

const gone = () => Promise.reject(new Error('this service is no more'))

/** New logins fail. */
const shutOut = (connections: Connections): Connections => ({ ...connections, onNewConnection: gone })

/** A service that dies as soon as SSH has changed, which it asks a new login about: it neither confirms nor reverts it. */
const dying = (connections: Connections): Connections => {
  let changed = false
  return {
    ...connections,
    onNewConnection: () => {
      changed = true
      return gone()
    },
    change: (reach, request) => (changed ? gone() : connections.change(reach, request)),
  }
}

const must = async (host: Host, command: string, stdin = ''): Promise<string> => {
  const { code, stdout, stderr } = await host.run(command, { stdin })
  if (code !== 0) throw new Error(`${command}: ${stderr || stdout}`)
  return stdout
}

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  let admitted: AdmittedHost
  let before: { ssh: string; units: string }
  beforeEach(async () => {
    admitted = await startAdmitted({ kind: 'root-key' }, release)
    const { host } = admitted
    await must(host, `groupadd ${groupOfSites} && useradd -m -s /bin/bash -G ${groupOfSites} ${user} && chown root: /home/${user}`)
    await must(host, `chmod 755 /home/${user} && chpasswd`, `${user}:${sitePassword}`)
    before = { ssh: await ssh(), units: await units() }
    expect(await hasShell()).toBe(true)
  })
  afterEach(() => admitted?.[Symbol.asyncDispose]())

  const ssh = () => admitted.host.run('find /etc/ssh -type f -exec sha256sum {} + | sort; sshd -T').then(({ stdout }) => stdout)
  const units = async () =>
    (await admitted.host.run('systemctl list-units --all --plain --no-legend "gatehouse*"; find /etc/systemd -name "gatehouse*"')).stdout
  /** What sshd does that runs, whatever its files say. */
  const hasShell = async () => {
    const said = await shell(admitted.host, user, sitePassword, [])
    expect(said).toMatch(/uid=|This service allows sftp connections only/)
    return said.includes('uid=')
  }

  const expectSetUp = async () => {
    const { host, reach, connections } = admitted
    await requireSftp(connections, reach)
    expect(await hasShell()).toBe(false)
    expect(await host.run(`ls ${dropIn}*`)).toMatchObject({ stdout: `${dropIn}\n` })
    expect(await units()).toBe(before.units)
  }

  const expectUndoneBy = async (undo: () => Promise<unknown>, seconds: number) => {
    const { reach, connections } = admitted
    await expect(requireSftp(dying(connections), reach, seconds)).rejects.toMatchObject({
      problem: {
        code: 'unsuitable',
        sentence: `With SFTP set up, the server no longer admitted Gatehouse. The server takes it back automatically within ${seconds} seconds.`,
      },
    })
    expect(await hasShell()).toBe(false)
    await undo()
    expect(await ssh()).toBe(before.ssh)
    await expect.poll(hasShell).toBe(true)
    await expectSetUp()
  }

  test('if no new login succeeds, SSH is as before, and nothing waits to undo it', async () => {
    const { reach, connections } = admitted
    await expect(requireSftp(shutOut(connections), reach)).rejects.toMatchObject({
      problem: { code: 'unsuitable', sentence: 'With SFTP set up, the server no longer admitted Gatehouse. It was taken back.' },
    })
    expect({ ssh: await ssh(), units: await units() }).toEqual(before)
    await expect.poll(hasShell).toBe(true)
    await expectSetUp()
  })

  test('a change of SSH that was not confirmed does not outlive a power cut', () => expectUndoneBy(() => admitted.host.powerCut(), 90))

  test('a change of SSH, of a service that died with it, is undone by the host itself when its time is up', () =>
    expectUndoneBy(() => expect.poll(ssh, { timeout: 30_000 }).toBe(before.ssh), 15))

  test.each([
    [
      'a configuration with an error',
      'echo Nonsense >/etc/ssh/sshd_config.d/10-own.conf',
      'SSH’s configuration has an error here, so SFTP cannot be set up. Correct it first; nothing was changed.',
    ],
    [
      'one that includes no drop-ins',
      `sed -i 's/^Include/#&/' /etc/ssh/sshd_config`,
      'sshd_config includes no drop-ins here (sshd_config.d), so SFTP cannot be set up. Nothing was changed.',
    ],
    [
      'Gatehouse’s own user among those of sites',
      `usermod -aG ${groupOfSites} root`,
      'SSH refuses the settings for SFTP. Nothing was changed.',
    ],
  ])('SSH is not changed where it cannot serve sites: %s', async (_, change, sentence) => {
    const { host, reach, connections } = admitted
    await must(host, change)
    const now = { ssh: await ssh(), units: await units() }
    await expect(requireSftp(connections, reach)).rejects.toMatchObject({ problem: { code: 'unsuitable', sentence } })
    expect({ ssh: await ssh(), units: await units() }).toEqual(now)
    await expect.poll(hasShell).toBe(true)
  })
})
