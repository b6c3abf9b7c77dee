/** Copies of a real host by SFTP, where its key only adds, and in a mounted folder: tested, made, proven, deleted and restored, as the service does it. */
import { expect, test } from 'vitest'
import { post, type Said } from '../service/support/caller'
import { createSite, streamBackup } from '../service/support/slow-work'
import { openPortalDatabase } from '../support/portal-database'
import { openChance } from '../support/seeds'
import { type SftpStorage, startSftpStorage } from '../support/sftp-target'
import { startInstalled } from './installed'
import { gatewayAddress } from './lab/network'
import { someDebians } from './releases'
import { openHttpService } from './sites/http-service'
import { removeBackups } from './sites/site-job'

const chance = openChance()
const password = 'p'.repeat(43)

const addressOf = ({ host, port, user, hostKey, folder }: SftpStorage) => ({ kind: 'sftp', host, port, user, host_key: hostKey, folder })

type Scene = {
  service: Parameters<typeof post>[0] & { id: string }
  site: string
  name: string
  on: (command: string) => Promise<string>
  /** What servers get, and what deletes. */
  fields: Record<string, string>
  deleting: Record<string, string>
}

const content = (name: string) => `sha256sum </home/${name}/public/image`

/** Two copies; the first is deleted, the second is proven and comes back. */
async function walk({ service, site, name, on, fields, deleting }: Scene): Promise<void> {
  const copy = async (): Promise<Said['body']> => {
    await on(`runuser -u ${name} -- sh -c 'head -c 2M /dev/urandom >/home/${name}/public/image'`)
    expect((await streamBackup(service, site)).events.at(-1)).toMatchObject({ status: 'done' })
    const said = await post(service, `/sites/${site}/copies`, fields)
    expect(said).toMatchObject({ status: 200, body: { success: true } })
    return said.body
  }
  const [first, second] = [await copy(), await copy()]
  const before = await on(content(name))
  const given = ({ snapshot, backup, sha256 }: Said['body']) => ({
    snapshot: String(snapshot),
    backup: String(backup),
    sha256: String(sha256),
  })
  const prune = (ids: Said['body']) =>
    post(service, '/sites/prunecopies', { ...deleting, 'snapshots[]': String(ids.snapshot), of_server: service.id })
  expect(await prune(first)).toMatchObject({ status: 200, body: { success: true, removed: 1 } })
  expect(await prune(first)).toMatchObject({ status: 200, body: { success: true, removed: 0 } })
  const prove = (ids: Said['body']) => post(service, `/sites/${site}/copies/prove`, { ...fields, ...given(ids) })
  expect((await prove(second)).body).toMatchObject({ verdict: 'good' })
  expect((await prove(first)).body).toMatchObject({ verdict: 'bad', cause: 'missing' })
  await on(`${removeBackups}; rm /home/${name}/public/image`)
  const restored = await post(service, `/sites/${site}/copies/restore`, { ...fields, ...given(second) })
  expect(restored).toMatchObject({ status: 200, body: { success: true } })
  expect(await on(content(name))).toBe(before)
}

test.each(someDebians(chance))(
  `copies of $debian in a folder and by SFTP are made, deleted, proven and restored, SEED=${chance.seed}`,
  { timeout: 900_000 },
  async ({ release }) => {
    await using _ = await openPortalDatabase({ environment: { ALLOW_PRIVATE_UPSTREAMS: '198.51.100.0/24' } })
    await using storage = await startSftpStorage({ host: gatewayAddress })
    await using admitted = await startInstalled(release)
    await using service = await openHttpService(admitted)
    const on = async (command: string): Promise<string> => {
      const { code, stdout, stderr } = await admitted.host.run(command, { timeoutMs: 120_000 })
      expect(code, stderr).toBe(0)
      return stdout
    }
    // What else this machine does is not the load of the host, which would postpone a proof.
    await on(`echo '0.10 0.10 0.10 1/99 1' >/run/load && mount --bind /run/load /proc/loadavg`)
    const created = await createSite(service, { domain: 'one.test', server: service.id, password: 'Correct-horse-9' })
    const site = String(created.body.id)
    const name = (await on('ls /etc/gatehouse/sites')).trim()
    const check = (fields: Record<string, string>) => post(service, `/servers/${service.id}/copies/test`, fields)

    const folder = { kind: 'folder', folder: '/mnt/backups' }
    expect(await check(folder)).toMatchObject({ body: { result: 'unmounted' } })
    await on('mkdir -p /mnt/backups && mount -t tmpfs -o mode=700 copies /mnt/backups')
    expect(await check(folder)).toMatchObject({ body: { result: 'passed', deletes: true, overwrites: true } })
    const own = { ...folder, folder: '/mnt/backups/one', password }
    // Of another server, which this one never touches.
    await on('mkdir -p /mnt/backups/two/snapshots && echo other >/mnt/backups/two/snapshots/other')
    await walk({ service, site, name, on, fields: own, deleting: own })
    expect(await on('cat /mnt/backups/two/snapshots/other; ls /mnt/backups /run/gatehouse-snapshots* 2>/dev/null || true')).toBe(
      'other\n/mnt/backups:\none\ntwo\n',
    )

    const address = addressOf(storage)
    const { host_key, ...unconfirmed } = address
    expect(await check(unconfirmed)).toMatchObject({ body: { result: 'shown', host_key } })
    const server = { ...address, access: 'rclone', private_key: storage.keys.server }
    expect(await check({ ...server, maintenance_key: storage.keys.maintenance })).toMatchObject({
      body: { result: 'passed', deletes: false, overwrites: false, maintenance: 'passed' },
    })
    expect(storage.files('.')).toEqual([])
    expect(await check({ ...server, maintenance_key: storage.keys.server })).toMatchObject({ body: { result: 'passed' } })
    const repository = { folder: `${storage.folder}/one`, password }
    const deleting = { ...address, private_key: storage.keys.maintenance, ...repository }
    await walk({ service, site, name, on, fields: { ...server, ...repository }, deleting })
    // Neither key is on the server once a job has ended, and that of maintenance never was.
    const secrets = [...Object.values(storage.keys).map((key) => key.slice(120, 200)), password].join('|')
    expect(await on(`grep -rlE -- '${secrets}' /etc /var /run /root /tmp 2>/dev/null || true`)).toBe('')
  },
)
