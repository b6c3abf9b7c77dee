/** Work on a site that Gatehouse has lost sight of, and a site whose web server is gone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problem } from '@/lib/contract/problem'
import { openChance } from '../support/seeds'
import { startInstalled } from './installed'
import type { AdmittedHost } from './reach'
import { someDebians } from './releases'
import { creation, deletion, endOf, siteNamed } from './sites/site-job'

const chance = openChance()
const site = siteNamed('oneleft1a2b', 'one.test')

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  let admitted: AdmittedHost
  beforeAll(async () => {
    admitted = await startInstalled(release)
    expect(await endOf(admitted.machine, creation(site))).toMatchObject({ status: 'done' })
  })
  afterAll(() => admitted?.[Symbol.asyncDispose]())

  test('no install starts while work on a site still runs', async () => {
    const { host, machine } = admitted
    const begin = 'systemd-run --quiet --collect --unit=gatehouse-site-job.service sleep 600'
    expect((await host.run(begin)).code).toBe(0)
    await expect(machine.install.start()).rejects.toMatchObject({ problem: problem('busy') })
    await host.run('systemctl stop gatehouse-site-job.service')
    expect(await machine.install.start()).toMatchObject({ attached: false })
    for await (const line of machine.install.follow(0, AbortSignal.timeout(600_000))) if (line.status !== 'running') break
  })

  test('a site is deleted although Apache was removed from the server', async () => {
    const { host, machine } = admitted
    const { code, stderr } = await host.run('DEBIAN_FRONTEND=noninteractive apt-get -q -y purge apache2 apache2-bin apache2-data')
    expect(code, stderr).toBe(0)
    expect(await endOf(machine, deletion(site))).toMatchObject({ status: 'done', answer: expect.stringContaining('one.test') })
    expect((await host.run('ls /etc/gatehouse/sites /home')).stdout).not.toContain(site.name)
  })
})
