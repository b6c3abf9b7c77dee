/** The nightly backup names what it leaves out, the server stores why a backup failed, and no failure deletes an older backup. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openChance } from '../support/seeds'
import { backUp, folder, putNightlyBackup } from './nightly-backup'
import { type AdmittedHost, startAdmitted } from './reach'
import { someDebians } from './releases'

const chance = openChance()

describe.each(someDebians(chance))(`$debian SEED=${chance.seed}`, ({ release }) => {
  let admitted: AdmittedHost
  beforeAll(async () => {
    admitted = await startAdmitted({ kind: 'root-key' }, release)
  })
  afterAll(() => admitted[Symbol.asyncDispose]())

  const run = (command: string) => admitted.host.run(command)

  /** Puts the backups on a small disk of their own until the test ends. */
  async function useDisk(size: string): Promise<void> {
    onTestFinished(async () => void (await run(`umount ${folder}; rm -f /srv/large`)))
    await run(`mkdir -p ${folder} && mount -t tmpfs -o size=${size},mode=700 none ${folder}`)
  }

  test('a server reports no runs before it has a timer, and the next run before the first one', async () => {
    expect(await admitted.machine.backups.list()).toEqual({ items: [] })
    await putNightlyBackup(admitted.host)
    expect(await admitted.machine.backups.list()).toEqual({
      items: [],
      timer: { active: true, next: expect.stringMatching(/T0[23]:\d\d:\d\d/) },
    })
    await run('systemctl stop gatehouse-backup.timer')
    expect((await admitted.machine.backups.list()).timer).toMatchObject({ active: false })
  })

  test('free space is also checked before the first backup, and the error has readable sizes', async () => {
    await useDisk('8M')
    await run('head -c 12M /dev/urandom >/srv/large')
    const { code, items, last } = await backUp(admitted)
    expect([code, items]).toEqual([1, []])
    expect(last).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(
        /^There is not enough room in \/var\/backups\/gatehouse: [\d.]+ MB is free; a backup needs about [\d.]+ MB\.$/,
      ),
    })
  })

  test('file systems mounted below a folder are named as left out, and unreadable files are named one by one', async () => {
    const odd = '/srv/zażółć  gęś'
    onTestFinished(async () => void (await run(`umount /srv/media '${odd}'; umount /srv/jail/proc; rm -rf /srv/*`)))
    await run(`mkdir -p /srv/media '${odd}' /srv/jail/proc && mount -t tmpfs none /srv/media && mkdir /srv/media/deeper
      mount -t tmpfs none '${odd}'; mount -t proc none /srv/jail/proc; echo kept >/srv/kept`)
    const { code, items, last } = await backUp(admitted)
    expect(code).toBe(0)
    expect(last).toMatchObject({ state: 'done', reason: '' })
    expect(items).toMatchObject([{ proven: true, missing: [] }])
    expect(items[0]?.left_out?.toSorted()).toEqual(['/srv/media', odd])
    expect((await run(`tar -xzOf ${folder}/${items[0]?.name} srv/kept`)).stdout).toBe('kept\n')
  })

  test('a folder that is a link is backed up with the contents of its target', async () => {
    onTestFinished(async () => void (await run('rm -rf /var/www /data')))
    await run('mkdir -p /data/www && echo page >/data/www/index.html && ln -s /data/www /var/www')
    const { items } = await backUp(admitted)
    expect((await run(`tar -xzOf ${folder}/${items[0]?.name} data/www/index.html`)).stdout).toBe('page\n')
  })

  test('a disk that fills up during a backup keeps the older backups, and the reason quotes the system’s error', async () => {
    await useDisk('10M')
    const before = (await backUp(admitted)).items
    expect(before).toHaveLength(1)
    // The kept backup is small, so that the check of free space before does not fail.
    await run('head -c 15M /dev/urandom >/srv/large')
    const { code, items, last } = await backUp(admitted)
    expect([code, items]).toEqual([1, before])
    expect(last).toMatchObject({ state: 'failed', reason: expect.stringMatching(/No space left on device/) })
    expect((await run(`ls -A ${folder} | grep unfinished`)).stdout).toBe('')
  })

  test('a disk that was full before the backup is reported too', async () => {
    await useDisk('10M')
    expect((await backUp(admitted)).last).toMatchObject({ state: 'done' })
    await run(`cat /dev/zero >${folder}/filler`)
    expect((await backUp(admitted)).last).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/^There is not enough room in .*: 0 B is free/),
    })
  })

  test('a current run is reported as running; a run that was killed, stopped or lost to a power cut as failed', async () => {
    const { host, machine } = admitted
    // Reading this blocks until the reader stops.
    const hang = `rm -rf /srv/*; mkfifo /tmp/never; mv /usr/bin/tar /usr/bin/tar-real; printf '#!/bin/sh\\nexec sleep 600\\n' >/usr/bin/tar; chmod +x /usr/bin/tar`
    onTestFinished(async () => void (await run('mv /usr/bin/tar-real /usr/bin/tar')))
    await run(hang)
    const begin = async () => {
      await run('systemctl reset-failed; systemctl start --no-block gatehouse-backup.service')
      await expect.poll(async () => (await machine.backups.list()).last?.state).toBe('running')
    }
    await begin()
    await run('systemctl kill -s KILL gatehouse-backup.service')
    const interrupted = { state: 'failed', reason: 'The backup was interrupted: it was killed, or the server went down.' }
    await expect.poll(async () => (await machine.backups.list()).last).toMatchObject(interrupted)
    await begin()
    await run('systemctl stop gatehouse-backup.service')
    expect((await machine.backups.list()).last).toMatchObject({ state: 'failed', reason: 'The backup was stopped before it was complete.' })
    await begin()
    await host.powerCut()
    await expect.poll(async () => (await machine.backups.list()).last).toMatchObject(interrupted)
  })

  test('seven backups are kept, and the newest complete one in addition if all seven are partial', async () => {
    const name = (day: number) => `backup-2020-01-${String(day).padStart(2, '0')}-000000.tar.gz`
    const make = (day: number, missing: boolean) => `echo x >${name(day)}; touch -r ${name(day)} .${name(day)}.proven
      printf '${missing ? 'missing\\tshop\\tbroken\\n' : ''}' >.${name(day)}.lacks`
    const old = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((day) => make(day, day > 2))
    // The newest one is partial too: one of its files cannot be read.
    await run(`rm -rf ${folder}/.backup-* ${folder}/backup-*; cd ${folder}; ${old.join('\n')}; rm -f /var/backups/gatehouse/.last`)
    await run(
      `mv /usr/bin/tar /usr/bin/tar-real; printf '#!/bin/sh\\n/usr/bin/tar-real "$@" || exit\\ncase $* in *-v*) echo "tar: srv/x: Cannot open: Input/output error"; echo "tar: Exiting with failure status due to previous errors"; exit 2;; esac >&2\\n' >/usr/bin/tar; chmod +x /usr/bin/tar`,
    )
    onTestFinished(async () => void (await run('mv /usr/bin/tar-real /usr/bin/tar')))
    const { code, items, last } = await backUp(admitted)
    expect([code, last?.state, last?.reason]).toEqual([1, 'partial', 'Missing: /srv/x.'])
    expect(items[0]).toMatchObject({ proven: true, missing: [{ name: '/srv/x', reason: 'Cannot open: Input/output error' }] })
    expect((await run(`ls ${folder}`)).stdout.trim().split('\n').slice(0, -1)).toEqual([2, 4, 5, 6, 7, 8, 9].map(name))
    expect((await run(`ls -A ${folder} | grep -c '01-0[13]-'`)).stdout).toBe('0\n')
  })
})
