/** Real hosts keep the promises that the sandbox is held to, over HTTP. */
import { expect, test } from 'vitest'
import { serverPromises } from '../service/conformance/servers'
import { openTestService } from '../service/support/service'
import { startHost } from './lab/lab'

const cases = serverPromises.flatMap((promised) =>
  (['sudo-password', 'root-key', 'root-password'] as const).map((kind) => ({ ...promised, kind })),
)

// One installation is enough here: the way in makes no difference to it, and root's is proven elsewhere.
test.each(cases.filter(({ kind, installs }) => !installs || kind === 'sudo-password'))(
  'Debian 12, $kind: $title',
  { timeout: 600_000 },
  async ({ prove, kind }) => {
    await using host = await startHost({ login: { kind } })
    await using service = await openTestService()
    await prove({
      baseUrl: service.baseUrl,
      key: service.key,
      findMachine: async () => ({ provider: 'ssh', host: host.ip, port: String(host.port), ...host.login }),
      unreachable: { host: host.ip, port: '2' },
      wrongPass: 'wrong',
    })
    const left = await host.run(
      'grep -rs gatehouse: /root/.ssh /home/*/.ssh; ls -d /etc/gatehouse /var/lib/gatehouse /etc/sudoers.d/gatehouse 2>/dev/null',
    )
    expect(left.stdout).toBe('')
  },
)
