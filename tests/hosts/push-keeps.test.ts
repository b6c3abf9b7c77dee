/** What visitors and editors do on live between a pull and the push: the push keeps it, and replaces it only if somebody chooses that. */
import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { SiteWork } from '@/lib/service/machines/sites'
import { openChance } from '../support/seeds'
import type { Host } from './lab/lab'
import { someDebians } from './releases'
import { useHostWithSites } from './sites/host-with-sites'
import { sftp } from './sites/sftp'
import { endOf, runJob, siteNamed, sitePassword, upload, visit } from './sites/site-job'

const chance = openChance()
const live = siteNamed('livekeeps1a2b', 'live.test')
const copy = siteNamed('copykeeps3c4d', 'staging.live.test')

const files = { files: true, database: false, tables: [] }
const pulling = (isNew: boolean): SiteWork => ({
  kind: 'pull',
  site: live,
  copy,
  parts: files,
  isNew,
  password: 'for browsers',
  refused: [],
  authority: { directory: '', roots: '', contact: '' },
})
const pushing = (replace = false): SiteWork => ({ kind: 'push', site: live, copy, parts: files, replace })

/** A form for visitors; with `late`, its file arrives under that name although the request began before. */
const form = `<?php
if (!isset($_FILES['file'])) exit('no file');
echo move_uploaded_file($_FILES['file']['tmp_name'], __DIR__ . '/uploads/' . base64_decode($_GET['name'])) ? 'stored' : 'refused';
`

/** Uploads between the copying and the exchange, and once more after it, where the push then fails. */
const interrupted = `#!/bin/bash
at=/home/${live.name}
store() { printf late >$at/public/uploads/$1 && chown --reference="$at/public" "$at/public/uploads/$1"; }
if [[ " $* " != *' --files-from=- '* || -e $at/.staging/again ]]; then exec /usr/bin/rsync.real "$@"; fi
if [[ " $* " == *' --update '* ]]; then
  store after.jpg
  : >$at/.staging/again
  exit 12
fi
/usr/bin/rsync.real "$@"
store between.jpg
`

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  const there = useHostWithSites(release, [live])
  /** By path below `public`, the text of each file. */
  const textsOf = async (name: string): Promise<Record<string, string>> => {
    const { stdout } = await there().host.run(
      `cd /home/${name}/public && find . -type f ! -name form.php -printf '%P\\0' -exec cat {} \\; -printf '\\0'`,
    )
    const parts = stdout.split('\0')
    return Object.fromEntries(parts.flatMap((path, index) => (index % 2 === 0 && path !== '' ? [[path, parts[index + 1] ?? '']] : [])))
  }
  const asUser = async (name: string, script: string) => {
    const { code, stderr } = await there().host.run(`cd /home/${name}/public && runuser -u ${name} -- sh -euc '${script}'`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  }
  const facts = async () => (await there().machine.sites.staging(live, copy)).liveChanges

  test('a push keeps what visitors uploaded, editors changed and somebody deleted on live since the pull', async () => {
    const { host, machine } = there()
    await asUser(live.name, 'rm index.html; mkdir uploads plugins; printf "?" >plugins/a.php')
    for (const name of ['same', 'onlive', 'onstaging', 'onboth', 'gone', 'goneedited', 'dropped', 'droppededited']) {
      await upload(host, live, `${name}.txt`, 'as pulled')
    }
    await upload(host, live, 'uploads/old.jpg', 'old')
    await upload(host, live, 'form.php', form)
    expect(await endOf(machine, pulling(true))).toMatchObject({ status: 'done' })
    expect(await facts()).toEqual({ count: 0, names: [], conflicts: [], noted: true })

    expect(await postUpload(host, 'photo.jpg', 'of a visitor')).toBe('200 stored')
    expect(await postUpload(host, 'odd\n#’name.jpg', 'of another')).toBe('200 stored')
    await sftp(host, live.name, sitePassword, ['mkdir /public/uploads/2026', 'put /etc/hostname /public/uploads/2026/by-editor.txt'])
    await asUser(live.name, 'rm -r gone.txt goneedited.txt plugins; touch same.txt; ln -s uploads/old.jpg link.jpg')
    for (const name of ['onlive', 'onboth', 'droppededited']) await upload(host, live, `${name}.txt`, 'of live')
    for (const name of ['onstaging', 'onboth', 'goneedited', 'new']) await upload(host, copy, `${name}.txt`, 'of staging')
    await asUser(copy.name, 'rm dropped.txt droppededited.txt')

    const found = await facts()
    expect(found).toMatchObject({ count: 9, noted: true, conflicts: ['droppededited.txt', 'onboth.txt'] })
    expect(found?.names).toEqual(
      expect.arrayContaining(['gone.txt', 'link.jpg', 'onlive.txt', 'plugins/a.php', 'uploads/2026/by-editor.txt', 'uploads/photo.jpg']),
    )

    const lines = await runJob(machine, pushing())
    expect(lines.at(-1)).toMatchObject({
      status: 'done',
      message: 'live.test is what its staging copy was, except for 9 files that changed on live since the pull.',
    })
    const said = lines.map(({ message }) => message).join('\n')
    expect(said).toContain('Changed on both sides, and kept as live has it: droppededited.txt, onboth.txt.')
    expect(said).toContain('Deleted on live since the pull, and not copied back: gone.txt, plugins/a.php.')
    expect(said).toMatch(/Changed on live since the pull, and kept: .*uploads\/photo\.jpg/)
    const { 'uploads/2026/by-editor.txt': byEditor, ...texts } = await textsOf(live.name)
    expect(byEditor).not.toBe('')
    expect(texts).toEqual({
      'same.txt': 'as pulled',
      'onlive.txt': 'of live',
      'onboth.txt': 'of live',
      'droppededited.txt': 'of live',
      'onstaging.txt': 'of staging',
      'goneedited.txt': 'of staging',
      'new.txt': 'of staging',
      'uploads/old.jpg': 'old',
      'uploads/photo.jpg': 'of a visitor',
      'uploads/odd\n#’name.jpg': 'of another',
    })
    expect((await host.run(`readlink /home/${live.name}/public/link.jpg; ls -d /home/${live.name}/public/plugins`)).stdout).toBe(
      'uploads/old.jpg\n',
    )
    expect((await host.run(`find /home/${live.name}/public -mindepth 1 ! -user ${live.name}`)).stdout).toBe('')
    expect(await visit(host, live.domain, '/uploads/photo.jpg')).toBe('200 of a visitor')
  })

  test('what a push has kept stays kept at the next one', async () => {
    const { machine, host } = there()
    await upload(host, copy, 'new.txt', 'newer')
    expect(await facts()).toMatchObject({ count: 9 })
    expect(await endOf(machine, pushing())).toMatchObject({ status: 'done' })
    expect(await textsOf(live.name)).toMatchObject({ 'new.txt': 'newer', 'uploads/photo.jpg': 'of a visitor', 'onlive.txt': 'of live' })
  })

  test('what visitors upload while a push runs is not lost', async () => {
    const { machine, host } = there()
    const stored: string[] = []
    let pushed = false
    const visitors = (async () => {
      for (let each = 1; !pushed; each++) {
        if ((await postUpload(host, `late-${each}.jpg`, 'late').catch(String)) === '200 stored') stored.push(`uploads/late-${each}.jpg`)
        await delay(20)
      }
    })()
    const end = await endOf(machine, pushing()).finally(() => {
      pushed = true
    })
    await visitors
    expect(end).toMatchObject({ status: 'done' })
    const texts = await textsOf(live.name)
    expect(stored.length).toBeGreaterThan(10)
    expect(stored.filter((path) => texts[path] !== 'late')).toEqual([])
  })

  test('a push that fails after the exchange keeps what visitors uploaded, on both sides of it', async () => {
    const { machine, host } = there()
    await host.run('mv /usr/bin/rsync /usr/bin/rsync.real')
    await host.run('cat >/usr/bin/rsync && chmod 755 /usr/bin/rsync', { stdin: interrupted })
    const before = await textsOf(live.name)
    const end = await endOf(machine, pushing())
    await host.run('mv /usr/bin/rsync.real /usr/bin/rsync')
    expect(end).toMatchObject({ status: 'failed' })
    expect(await textsOf(live.name)).toEqual({ ...before, 'uploads/between.jpg': 'late', 'uploads/after.jpg': 'late' })
  })

  test('a copy that was pulled by an earlier version: what only live has stays, and what was written there since', async () => {
    const { machine, host } = there()
    expect(await endOf(machine, pulling(false))).toMatchObject({ status: 'done' })
    await host.run(`rm /etc/gatehouse/sites/${copy.name}/files.gz`)
    await upload(host, live, 'onlive.txt', 'since')
    await upload(host, copy, 'onstaging.txt', 'on staging')
    expect(await postUpload(host, 'since.jpg', 'since')).toBe('200 stored')
    expect(await facts()).toEqual({ count: 2, names: ['onlive.txt', 'uploads/since.jpg'], conflicts: [], noted: false })
    const lines = await runJob(machine, pushing())
    expect(lines.map(({ message }) => message).join('\n')).toContain('earlier version of Gatehouse')
    expect(await textsOf(live.name)).toMatchObject({ 'onlive.txt': 'since', 'onstaging.txt': 'on staging', 'uploads/since.jpg': 'since' })
  })

  test('whoever chooses so replaces all files', async () => {
    const { machine, host } = there()
    expect(await endOf(machine, pulling(false))).toMatchObject({ status: 'done' })
    await upload(host, live, 'onlive.txt', 'replaced')
    expect(await postUpload(host, 'replaced.jpg', 'replaced')).toBe('200 stored')
    const lines = await runJob(machine, pushing(true))
    expect(lines.at(-1)).toMatchObject({ status: 'done', message: 'live.test is what its staging copy was.' })
    expect(lines.map(({ message }) => message)).toContain(
      'Changed on live since the pull, and replaced: onlive.txt, uploads/replaced.jpg. The backup has them.',
    )
    const texts = await textsOf(live.name)
    expect(texts).toMatchObject({ 'onlive.txt': 'since' })
    expect(texts).not.toHaveProperty(['uploads/replaced.jpg'])
    expect(await facts()).toMatchObject({ count: 0 })
  })
})

/** Sends a file as a form does. */
function postUpload(host: Host, name: string, text: string): Promise<string> {
  const boundary = 'end-of-a-part'
  const body = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: image/jpeg\r\n\r\n${text}\r\n--${boundary}--\r\n`
  const headers = {
    host: live.domain,
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': Buffer.byteLength(body),
  }
  const path = `/form.php?name=${encodeURIComponent(Buffer.from(name).toString('base64'))}`
  return new Promise((resolve, reject) => {
    const asked = request({ host: host.ip, path, method: 'POST', headers, agent: false }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.once('end', () => resolve(`${reply.statusCode} ${Buffer.concat(chunks)}`))
    })
    asked.once('error', reject)
    asked.end(body)
  })
}
