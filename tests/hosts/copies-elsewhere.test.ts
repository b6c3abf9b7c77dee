/** Copies of a site's and a server's backups from a real host to a bucket, as the service makes them, and both again by the commands of the recovery kit alone. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { addBackupTarget } from '@/lib/portal/subjects/backup-targets/change'
import { downloadKit } from '@/lib/portal/subjects/backup-targets/change-kit'
import { concludeCopy, noteCopyBegun } from '@/lib/portal/subjects/backup-targets/copy-job'
import { ensureRepository, openCopyFields } from '@/lib/portal/subjects/backup-targets/repository'
import type { Job } from '@/prisma/generated/portal/client'
import { get, post, type Said } from '../service/support/caller'
import { createSite, deleteSite, streamBackup } from '../service/support/slow-work'
import { type BucketServer, startBucketServer } from '../support/bucket-server'
import { inputOf } from '../support/own-input'
import { openPortalDatabase } from '../support/portal-database'
import { createTeam } from '../support/portal-team'
import { openChance } from '../support/seeds'
import { startInstalled } from './installed'
import type { Host } from './lab/lab'
import { gatewayAddress } from './lab/network'
import { someDebians } from './releases'
import { openHttpService } from './sites/http-service'
import { removeBackups } from './sites/site-job'

const run = promisify(execFile)
const chance = openChance()
const domain = 'one.test'

async function openTarget(bucket: BucketServer) {
  const owner = await (await createTeam()).join('owner')
  expect(await addBackupTarget(inputOf(owner, bucket.fields))).toMatchObject({ ok: true })
  const target = await db().backupTarget.findFirstOrThrow()
  const repository = await ensureRepository(target, { id: createOpaqueId(), name: 'web-1' })
  const fields = await openCopyFields(target, repository)
  if (!fields) throw new Error('The target cannot be opened.')
  return { owner, target, repository, fields }
}

type Opened = Awaited<ReturnType<typeof openTarget>>

/** What the portal makes of the answer. */
async function conclude({ repository }: Opened, { status, body }: Said, of = domain): Promise<void> {
  expect({ status, body }).toMatchObject({ status: 200, body: { success: true } })
  const jobId = createOpaqueId()
  await noteCopyBegun({ jobId, repository, subject: { id: createOpaqueId(), domain: of } })
  await concludeCopy({ row: { id: jobId } as Job, connection: null }, { state: 'done', problem: null, answer: body })
}

async function restoreByKit({ owner, target }: Opened): Promise<string> {
  const kit = await downloadKit(inputOf(owner, { targetId: target.id }))
  if (!kit.ok) throw new Error(kit.problem.sentence)
  const commands = kit.data.text.split('\n').filter((line) => line.startsWith('    ') && !line.includes('apt-get'))
  const there = mkdtempSync(path.join(tmpdir(), 'gatehouse-kit-'))
  onTestFinished(() => rmSync(there, { recursive: true, force: true }))
  await run('bash', ['-euc', commands.join('\n')], { cwd: there, env: { ...process.env, HOME: there } })
  return there
}

type Proving = {
  service: Parameters<typeof post>[0]
  id: string
  name: string
  fields: Record<string, string>
  copy: Said['body']
  bucket: BucketServer
}

/** A proof is postponed while the server is busy, and finds a copy good, bad once it is damaged, and good again; nothing of it stays. */
async function proveOnHost(host: Host, { service, id, name, fields, copy, bucket }: Proving): Promise<void> {
  const given = { snapshot: String(copy.snapshot), backup: String(copy.backup), sha256: String(copy.sha256) }
  const prove = async (more: Record<string, string> = {}): Promise<Said['body']> => {
    const said = await post(service, `/sites/${id}/copies/prove`, { ...fields, ...given, ...more })
    expect(said).toMatchObject({ status: 200, body: { success: true } })
    const left = await host.run(
      `mariadb -N -e "SHOW DATABASES LIKE 'gatehouse-scratch%'; SELECT user FROM mysql.user WHERE user LIKE 'gatehouse%${name}%'"`,
    )
    expect(left.stdout).toBe('')
    return said.body
  }
  // What else this machine does is not the load of the host.
  const load = async (figure: string) => {
    const { code, stderr } = await host.run(
      `echo '${figure} ${figure} ${figure} 1/99 1' >/run/load && { umount /proc/loadavg 2>/dev/null || true; } && mount --bind /run/load /proc/loadavg`,
    )
    expect(code, stderr).toBe(0)
  }
  await load('99.00')
  expect(await prove()).toMatchObject({ verdict: 'postponed', cause: 'load' })
  await load('0.10')
  expect(await prove()).toMatchObject({ verdict: 'good', cause: '', reason: '' })
  expect(await prove({ sha256: 'c'.repeat(64) })).toMatchObject({ verdict: 'bad', cause: 'other-content' })
  const packs = [...bucket.stored].filter(([object]) => object.includes('/data/'))
  const whole = packs.map(([, kept]) => new Map(kept))
  for (const [, kept] of packs)
    for (const [version, body] of kept) {
      const damaged = Buffer.from(body)
      for (let at = 0; at < damaged.length; at += 1000) damaged[at] = (damaged[at] ?? 0) ^ 1
      kept.set(version, damaged)
    }
  expect(await prove()).toMatchObject({ verdict: 'bad', cause: 'damaged' })
  packs.forEach(([, kept], index) => {
    for (const [version, body] of whole[index] ?? []) kept.set(version, body)
  })
  expect(await prove()).toMatchObject({ verdict: 'good' })
}

test.each(someDebians(chance))(
  `a site of $debian comes back byte for byte by the kit alone, and through the service, also once it is gone, SEED=${chance.seed}`,
  { timeout: 900_000 },
  async ({ release }) => {
    await using _ = await openPortalDatabase({ environment: { ALLOW_PRIVATE_UPSTREAMS: '198.51.100.0/24,127.0.0.0/8' } })
    await using bucket = await startBucketServer(gatewayAddress)
    const opened = await openTarget(bucket)
    await using admitted = await startInstalled(release)
    await using service = await openHttpService(admitted)
    const on = async (command: string, stdin = ''): Promise<string> => {
      const { code, stdout, stderr } = await admitted.host.run(command, { stdin, timeoutMs: 120_000 })
      expect(code, stderr).toBe(0)
      return stdout
    }
    const created = await createSite(service, { domain, server: service.id, password: 'Correct-horse-9' })
    const id = String(created.body.id)
    const name = (await on('ls /etc/gatehouse/sites')).trim()
    await on(
      `runuser -u ${name} -- sh -c 'cd /home/${name}/public && mkdir deep && head -c 20M /dev/urandom >deep/image && ln -s deep/image link && printf "Zürich" >"a b.txt"'`,
    )
    await on(`mariadb ${name}`, "CREATE TABLE words (word TEXT); INSERT INTO words VALUES ('Zürich')")
    const copy = async (): Promise<Said> => {
      expect((await streamBackup(service, id)).events.at(-1)).toMatchObject({ status: 'done' })
      return post(service, `/sites/${id}/copies`, opened.fields)
    }
    const first = await copy()
    await conclude(opened, first)
    expect(first.body.bytes).toBeGreaterThan(20_000_000)
    // Neither is on the server once it has ended.
    const secrets = [opened.fields.key_secret, opened.fields.password].join('|')
    expect(await on(`grep -rlE -- '${secrets}' /etc /var /run /root /tmp 2>/dev/null || true`)).toBe('')

    // A second night sends what has changed.
    await on(`runuser -u ${name} -- sh -c 'head -c 1M /dev/urandom >/home/${name}/public/deep/added'`)
    const before = bucket.received()
    const second = await copy()
    await conclude(opened, second)
    expect(bucket.received() - before).toBeLessThan(6_000_000)

    await proveOnHost(admitted.host, { service, id, name, fields: opened.fields, copy: second.body, bucket })
    expect(await on(`grep -rlE -- '${secrets}' /etc /var /run /root /tmp 2>/dev/null || true`)).toBe('')

    // The nightly backup of the server itself goes to the same repository.
    await on('systemctl start gatehouse-backup.service')
    const ofServer = await post(service, `/servers/${service.id}/copies`, opened.fields)
    await conclude(opened, ofServer, '')
    expect(await on(`cd /var/backups/gatehouse && gzip -dc ${ofServer.body.backup} | sha256sum`)).toBe(`${ofServer.body.sha256}  -\n`)
    expect(await on(`grep -rlE -- '${secrets}' /etc /var /run /root /tmp 2>/dev/null || true`)).toBe('')

    const kit = await restoreByKit(opened)
    const [there, itself] = [path.join(kit, domain), path.join(kit, 'server_itself')]
    expect(readFileSync(path.join(itself, 'etc/hostname'), 'utf8')).toBe(await on('cat /etc/hostname'))
    expect((await run('bash', ['-c', `zcat databases/${name}.sql.gz | grep -c "('Zürich')"`], { cwd: itself })).stdout).toBe('1\n')
    const hash = createHash('sha256')
      .update(readFileSync(path.join(there, 'files/public/deep/image')))
      .digest('hex')
    const list = `find . -mindepth 1 -printf '%p %y %m %s %l\\n' | grep -v ' d ' | sort; find . -type f -print0 | sort -z | xargs -0 sha256sum`
    const { stdout: restored } = await run('bash', ['-c', list], { cwd: path.join(there, 'files/public') })
    expect(restored).toContain(hash)
    expect(restored).toBe(await on(`cd /home/${name}/public && LC_ALL=C.UTF-8 bash -s`, list))
    expect(readFileSync(path.join(there, 'database.sql'), 'utf8')).toContain("('Zürich')")

    // The first copy comes back through the service, although the server has no backup of it any more.
    const restore = ({ snapshot, backup }: Said['body'], site: string): Promise<Said> =>
      post(service, `/sites/${site}/copies/restore`, { ...opened.fields, snapshot: String(snapshot), backup: String(backup) })
    await on(`${removeBackups}; rm -r /home/${name}/public/deep/image; mariadb -e "DROP TABLE words" ${name}`)
    expect(await restore(first.body, id)).toMatchObject({ status: 200, body: { success: true, kept: expect.stringContaining('replaced') } })
    expect(
      await on(`sha256sum </home/${name}/public/deep/image; ls /home/${name}/public/deep; mariadb -N -e 'SELECT * FROM words' ${name}`),
    ).toBe(`${hash}  -\nimage\nZürich\n`)
    expect(await on(`grep -rlE -- '${secrets}' /etc /var /run /root /tmp 2>/dev/null || true`)).toBe('')
    const listed = await get(service, `/sites/${id}/backups`)
    expect(listed.body.items).toMatchObject([{ name: first.body.backup, proven: true }])

    // The site is deleted, and created again on an account where nothing of it is left.
    expect(await deleteSite(service, id)).toMatchObject({ status: 200 })
    await on(removeBackups)
    const again = await createSite(service, { domain, server: service.id, password: 'Correct-horse-9' })
    expect(await restore(second.body, String(again.body.id))).toMatchObject({ status: 200, body: { success: true } })
    const present = (await on('ls /etc/gatehouse/sites')).trim()
    expect(await on(`ls /home/${present}/public/deep; mariadb -N -e 'SELECT * FROM words' ${present}`)).toBe('added\nimage\nZürich\n')
    // What is not there leaves the site as it is, with the reason.
    const absent = await restore({ ...second.body, snapshot: 'abcdabcd' }, String(again.body.id))
    expect(absent.body).toMatchObject({ success: false, error: expect.stringContaining('missing at the target') })
    expect(await on(`ls /home/${present}/public/deep`)).toBe('added\nimage\n')
  },
)
