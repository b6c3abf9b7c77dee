/** A site is deleted although the disk is full, so that there is room again; what else is refused says why, and changes nothing. */
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SiteJobLine } from '@/lib/service/machines/sites'
import { openChance } from '../support/seeds'
import { someDebians } from './releases'
import { useHostWithSites } from './sites/host-with-sites'
import { backingUp, creation, deletion, endOf, runJob, siteNamed, tracesOf, upload, visit } from './sites/site-job'

const chance = openChance()
const one = siteNamed('onefull1a2b', 'one.test')
const two = siteNamed('twofull3c4d', 'two.test')

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  const admitted = useHostWithSites(release, [one])
  let before: string
  beforeEach(async () => {
    const { host, machine } = admitted()
    // Stays when sites are gone.
    await host.run('install -d -m 700 /var/backups/gatehouse-sites')
    before = await tracesOf(host)
    expect(await endOf(machine, creation(two))).toMatchObject({ status: 'done' })
    await upload(host, two, 'large.bin', 'x'.repeat(3_000_000))
    await host.run(`mariadb ${two.name} -e 'CREATE TABLE notes (id INT PRIMARY KEY) AS SELECT 1 AS id'`)
    await host.fillDisk()
  })
  afterEach(async () => {
    const { host, machine } = admitted()
    await host.freeDisk()
    expect(await endOf(machine, deletion(two, false))).toMatchObject({ status: 'done' })
    expect(await tracesOf(host)).toBe(before)
    expect(await visit(host, one.domain)).toContain('This site is ready')
  })

  test('without a last backup it is deleted, and there is room again', async () => {
    const { host, machine } = admitted()
    const links: string[] = []
    const look = async ({ step }: SiteJobLine) => {
      if (step === 'Delete') links.push((await host.run("find /var/lib/gatehouse/site-jobs -type l -printf '%s '")).stdout)
    }
    const end = (await runJob(machine, deletion(two, false), look)).at(-1)
    expect(end).toMatchObject({ status: 'done', message: 'two.test is deleted.' })
    // ext4 has room for a link of up to 59 bytes when it has none for anything else.
    expect(links.join('')).toMatch(/^([1-5]?\d )+$/)
    expect(await tracesOf(host)).toBe(before)
    expect((await host.run('ls /run/gatehouse/jobs')).stdout).toBe('')
    expect((await host.run('head -c 1000000 /dev/zero >/var/tmp/room && rm /var/tmp/room')).code).toBe(0)
  })

  test('a site that has next to nothing is deleted, too, also if the server lacks the package, which comes into memory then', async () => {
    const { host, machine } = admitted()
    await host.freeDisk()
    await host.run(`rm -r /home/${two.name}/public/large.bin /usr/lib/gatehouse`)
    await host.fillDisk()
    expect(await endOf(machine, deletion(two, false))).toMatchObject({ status: 'done' })
    expect((await host.run('ls /usr/lib/gatehouse /run/gatehouse/programs')).stdout).toMatch(
      /^\/run\/gatehouse\/programs:\n[0-9a-f]{16}\n$/,
    )
  })

  test('with a last backup it is refused before any change, with the two ways out', async () => {
    const { host, machine } = admitted()
    const full = await tracesOf(host)
    const end = await endOf(machine, deletion(two))
    expect(end).toMatchObject({ status: 'failed', problem: 'unsuitable' })
    expect(end?.error).toMatch(/no room for a backup.*Nothing was deleted\. Free some space, or delete the site without a last backup\.$/)
    expect(await tracesOf(host)).toBe(full)
    expect(await visit(host, two.domain)).toContain('This site is ready')
  })

  test('other work is refused as before', async () => {
    const { machine } = admitted()
    await expect(endOf(machine, backingUp(two))).rejects.toMatchObject({ problem: { sentence: expect.stringMatching(/disk is full/) } })
  })

  test('a deletion that is killed, or that a boot ends, says so and is repeated', async () => {
    const { host, machine } = admitted()
    const kill = async ({ step }: SiteJobLine) => {
      if (step === 'Delete') await host.run("systemctl kill -s KILL 'gatehouse-site-job*'")
    }
    const killed = (await runJob(machine, deletion(two, false), kill)).at(-1)
    if (killed?.status !== 'done')
      expect(killed).toMatchObject({ status: 'failed', error: expect.stringMatching(/[Dd]elete it again\.$|Try again\.$/) })
    await host.freeDisk()
    expect(await endOf(machine, deletion(two, false))).toMatchObject({ status: 'done' })

    expect(await endOf(machine, creation(two))).toMatchObject({ status: 'done' })
    await host.fillDisk()
    const jobId = randomUUID()
    await machine.sites.start(jobId, deletion(two, false))
    // The lab does not boot from a full disk.
    await host.freeDisk()
    await host.powerCut()
    const lines: SiteJobLine[] = []
    for await (const line of machine.sites.follow(jobId, 0, new AbortController().signal)) lines.push(line)
    await machine.sites.forget(jobId)
    expect(lines.at(-1)).toMatchObject({ status: 'failed', halfDone: true, error: expect.stringMatching(/delete it again\.$/) })
  })
})
