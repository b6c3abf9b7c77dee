/** Updates of packages on a real server: nothing asks, a held lock is waited for, and what somebody edited stays and is named. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openChance } from '../support/seeds'
import { startInstalled } from './installed'
import { packageBuilder } from './package-source'
import type { AdmittedHost } from './reach'
import { someDebians } from './releases'
import { followServerJob, textOfLines } from './server-job'

const chance = openChance()

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  let admitted: AdmittedHost
  beforeAll(async () => {
    admitted = await startInstalled(release)
    await run(`${packageBuilder}
      rm -f /etc/apt/sources.list /etc/apt/sources.list.d/*
      echo 'deb [trusted=yes] file:/srv/apt/main ./' >/etc/apt/sources.list
      echo 'deb [trusted=yes] file:/srv/apt/security ./' >>/etc/apt/sources.list
      for name in gh-plain apache2-gh-test; do package $name 1 first; done
      for name in gh-fix mariadb-server-gh-test; do package $name 1 first; done
      dpkg -i /srv/apt/first/*.deb >/dev/null
      apt-mark auto gh-fix >/dev/null
      package gh-plain 2 main 'touch /run/reboot-required'; package apache2-gh-test 2 main
      package gh-fix 2 security; package mariadb-server-gh-test 2 security
      index main Debian stable; index security Debian-Security stable-security
      systemctl stop apt-daily.timer apt-daily-upgrade.timer
      rm -f /run/reboot-required
      echo edited >>/etc/gh-test/gh-plain.conf`)
  })
  afterAll(async () => {
    await admitted?.[Symbol.asyncDispose]()
  })

  const run = async (command: string): Promise<string> => {
    const { code, stdout, stderr } = await admitted.host.run(command)
    expect(code, `${command}: ${stderr}`).toBe(0)
    return stdout
  }
  const versions = async () =>
    (await run(`dpkg-query -W -f='\${Package} \${Version}\n' gh-fix gh-plain apache2-gh-test mariadb-server-gh-test | sort`))
      .trim()
      .split('\n')

  test('only the updates of security: those of other sources wait, and a package stays one that apt may remove', async () => {
    const lines = await followServerJob(admitted.machine.securityUpdates)
    expect(lines.at(-1), textOfLines(lines)).toMatchObject({ status: 'done', message: '2 packages were updated.' })
    expect(textOfLines(lines)).toContain('MariaDB restarts meanwhile.')
    expect(textOfLines(lines)).not.toContain('Apache restarts meanwhile.')
    expect(await versions()).toEqual(['apache2-gh-test 1', 'gh-fix 2', 'gh-plain 1', 'mariadb-server-gh-test 2'])
    expect(await run('apt-mark showauto gh-fix mariadb-server-gh-test')).toBe('gh-fix\n')
    expect(await admitted.machine.summary()).toMatchObject({ updates: '2', security_updates: '0' })
  })

  test('all updates, while another apt holds the lock: that is said and waited for, an edited file stays and is named, and a reboot is due', async () => {
    await run(`${packageBuilder} package gh-slow 1 slow 'sleep 15'`)
    await run('systemd-run --quiet --unit=gh-slow dpkg -i /srv/apt/slow/gh-slow_1_all.deb; sleep 2')
    const lines = await followServerJob(admitted.machine.updates)
    const text = textOfLines(lines)
    expect(lines.at(-1), text).toMatchObject({
      status: 'done',
      message: '2 packages were updated. The server has to be rebooted for all of it to take effect.',
    })
    expect(text).toMatch(/Package system: Waiting: Could not get lock .*held by process/)
    expect(text).toContain('Apache restarts meanwhile.')
    expect(text).toContain('Services: Kept as edited: /etc/gh-test/gh-plain.conf. The new version is /etc/gh-test/gh-plain.conf.dpkg-dist.')
    expect(await run('cat /etc/gh-test/gh-plain.conf /etc/gh-test/gh-plain.conf.dpkg-dist')).toBe('version 1\nedited\nversion 2\n')
    expect(await admitted.machine.summary()).toMatchObject({ updates: '0', reboot_required: true })
  })

  test('killed while a package is configured: the job says so, and the next one completes it', async () => {
    await run(
      `${packageBuilder} package gh-plain 3 main 'sleep 5'; package gh-fix 3 main 'exit 0'; index main Debian stable; index security Debian-Security stable-security`,
    )
    let killed = false
    const lines = await followServerJob(admitted.machine.updates, async ({ message }) => {
      if (killed || !message.includes('Setting up gh-plain')) return
      killed = true
      await run('systemctl kill -s KILL gatehouse-install.service')
    })
    expect([killed, lines.at(-1)?.status], textOfLines(lines)).toEqual([true, 'failed'])
    const again = await followServerJob(admitted.machine.updates)
    expect(again.at(-1), textOfLines(again)).toMatchObject({ status: 'done' })
    expect(textOfLines(again)).toContain('An earlier run of dpkg was interrupted.')
    expect((await versions()).filter((line) => line.startsWith('gh-'))).toEqual(['gh-fix 3', 'gh-plain 3'])
    expect(await run('dpkg --audit')).toBe('')
  })

  test('a source that is down is named, and the updates of the others are installed', async () => {
    await run(
      `${packageBuilder} package gh-fix 4 main 'exit 0'; index main Debian stable; echo 'deb [trusted=yes] file:/srv/apt/gone ./' >>/etc/apt/sources.list; rm -f /run/reboot-required`,
    )
    const lines = await followServerJob(admitted.machine.updates)
    expect(lines.at(-1), textOfLines(lines)).toMatchObject({
      status: 'done',
      message: '1 package was updated. A source of packages could not be read: its updates are not known. The log names it.',
    })
    expect(textOfLines(lines)).toContain('/srv/apt/gone')
    expect((await versions()).filter((line) => line.startsWith('gh-'))).toEqual(['gh-fix 4', 'gh-plain 3'])
    await run("sed -i '$d' /etc/apt/sources.list")
  })

  test('a package that cannot be installed fails the job with its own reason, and nothing is claimed', async () => {
    await run(`${packageBuilder} package gh-plain 4 main 'echo "gh-plain: no room for this" >&2; exit 1'; index main Debian stable`)
    const lines = await followServerJob(admitted.machine.updates)
    expect(lines.at(-1), textOfLines(lines)).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('The step “Updates” failed:'),
    })
    expect(textOfLines(lines)).toContain('no room for this')
  })
})
