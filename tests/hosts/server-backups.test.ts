/** Backup files of real hosts: listed and deleted by name. The install tests cover creating and verifying them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BackupsTarget, listBackups, proveBackups } from '../service/conformance/server-backups'
import { register } from '../service/conformance/servers'
import { openTestService, type TestService } from '../service/support/service'
import { openChance } from '../support/seeds'
import { type Host, startHost } from './lab/lab'
import { someDebians } from './releases'

/** Files as the nightly backup leaves them, and other files that may be next to them. */
const furnish = `install -d -m 700 /var/backups/gatehouse && cd /var/backups/gatehouse
  for day in 1 2 3; do
    echo archive >backup-2026-11-0$day-023000.tar.gz
    touch -d 2026-11-0$day backup-2026-11-0$day-023000.tar.gz
    touch -r backup-2026-11-0$day-023000.tar.gz .backup-2026-11-0$day-023000.tar.gz.proven
    printf 'missing\\tshop\\tNo table \\u202egone\\nleft_out\\t/srv/media\\n' >.backup-2026-11-0$day-023000.tar.gz.lacks
  done
  touch -d 2026-10-01 'before the move, by hand.tar.gz'
  touch -d 2026-10-02 -- '-rf'
  echo more >>backup-2026-11-02-023000.tar.gz
  mkdir folder .unfinished && echo secret >/etc/secret && ln -s /etc/secret link && touch "$(printf 'line\\nfeed')" "$(printf 'caf\\xe9')" .lock`

describe.each(someDebians(openChance()))('$debian', ({ release }) => {
  let host: Host
  let service: TestService
  let target: BackupsTarget
  beforeAll(async () => {
    host = await startHost({ login: { kind: 'root-key' }, release })
    service = await openTestService()
    const { id } = await register(service, { provider: 'ssh', host: host.ip, port: String(host.port), ...host.login }, 'backups')
    target = { ...service, id }
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await host.stop()
  })

  test('security 57: backups on a host pass the same conformance tests as the sandbox, and no name reaches a shell or another file', async () => {
    expect(await listBackups(target)).toEqual([])
    expect(await host.run(furnish)).toMatchObject({ code: 0 })
    const listed = await listBackups(target)
    expect(listed.map(({ name, proven }) => [name, proven])).toEqual([
      ['backup-2026-11-02-023000.tar.gz', false],
      ['backup-2026-11-03-023000.tar.gz', true],
      ['backup-2026-11-01-023000.tar.gz', true],
      ['-rf', false],
      ['before the move, by hand.tar.gz', false],
    ])
    expect(listed[0]).toMatchObject({ missing: [{ name: 'shop', reason: 'No table [U+202E]gone' }], left_out: ['/srv/media'] })
    await proveBackups(target)
    const left = await host.run('ls -A /var/backups/gatehouse | sort; cat /etc/secret; ls /root')
    expect(left.stdout.split('\n').filter(Boolean)).toEqual(
      expect.arrayContaining(['.lock', '.unfinished', 'folder', 'link', 'secret', '-rf']),
    )
    expect(left.stdout).not.toMatch(/backup-marker|11-02|11-03|before the move/)
    expect(left.stdout).toMatch(/backup-2026-11-01-023000\.tar\.gz\n/)
  })
})
