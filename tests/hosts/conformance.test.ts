/** Real hosts pass the same conformance tests as the sandbox, over HTTP. */
import { expect, test } from 'vitest'
import { type Promised, serverPromises } from '../service/conformance/servers'
import { openTestService } from '../service/support/service'
import { isSoak, openChance } from '../support/seeds'
import { startHost } from './lab/lab'
import { debians } from './releases'

const kinds = ['sudo-password', 'root-key', 'root-password'] as const

const other = openChance().pick(['root-key', 'root-password'] as const)

type Case = Promised & { kind: (typeof kinds)[number]; version: string }

/**
 * The kind of login does not affect the tests, nor does the release affect the login: one release is tested with the login that needs most,
 * and the other with one that chance picks. A soak tests all combinations.
 */
const isWanted = ({ installs, kind, version }: Case): boolean =>
  isSoak || (version === '13' ? kind === 'sudo-password' : kind === other && !installs)

const cases = debians
  .flatMap((debian) => kinds.flatMap((kind) => serverPromises.map((promised) => ({ ...debian, ...promised, kind }))))
  .filter(isWanted)

test.each(cases)('$debian, $kind: $title', async ({ prove, kind, release }) => {
  await using host = await startHost({ login: { kind }, release })
  await using service = await openTestService()
  await prove({
    baseUrl: service.baseUrl,
    key: service.key,
    findMachine: async () => ({ provider: 'ssh', host: host.ip, port: String(host.port), ...host.login }),
    startedAt: async () => (await host.run('systemctl show -P UserspaceTimestampMonotonic')).stdout,
    unreachable: { host: host.ip, port: '2' },
    wrongPass: 'wrong',
  })
  const left = await host.run(
    'grep -rs gatehouse: /root/.ssh /home/*/.ssh; ls -d /etc/gatehouse /var/lib/gatehouse /etc/sudoers.d/gatehouse 2>/dev/null',
  )
  expect(left.stdout).toBe('')
})
