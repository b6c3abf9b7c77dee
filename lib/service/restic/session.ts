/** The service's own login at an SFTP server, with the maintenance key. The key stays in this process: restic gets the session, as a descriptor. */
import type { Duplex } from 'node:stream'
import type { SftpTarget } from '../machines/copy-target'
import { MachineFailure } from '../machines/machine'
import { type Connection, connect, type Sftp } from '../ssh/connect'
import { fingerprintOf } from '../ssh/host-key'
import { type ResticFailure, resticFailure } from './failure'
import { type Resolve, requirePermitted } from './resolve'
import type { Storage } from './run'

/**
 * What restic starts for a session: it passes on what comes by descriptor 3, and takes what restic sends. restic closes its side to end it, so the first of the two
 * ends the other.
 */
const bridge = ['-o', `sftp.command=sh -c 'cat <&3 & cat >&3; kill $!'`]

type Session = Storage & { sftp(): Promise<Sftp> }

/** Connects to an address that was checked, so that the name cannot lead elsewhere meanwhile. Throws MachineFailure. */
export async function openSession(target: SftpTarget, resolve: Resolve): Promise<Session> {
  const { host, port, user, folder, hostKey, privateKey } = target
  const [address = ''] = await requirePermitted(host.toLowerCase(), false, resolve)
  const pinned = fingerprintOf(Buffer.from(hostKey.split(' ')[1] ?? '', 'base64'))
  const login = { user, privateKey: renderKey(privateKey) }
  const connection = await connect({ host: address, port: Number(port) }, login, pinned).catch((error: unknown) => {
    throw explain(error)
  })
  return {
    // From where the user signs in, unless it begins with a slash. The name is that of the bridge.
    repository: `sftp:target:${folder}`,
    options: bridge,
    environment: {},
    channel: () => openChannel(connection),
    sftp: () =>
      new Promise((resolved, reject) => {
        connection.client.sftp((error, sftp) => (error ? reject(resticFailure('no_sftp')) : resolved(sftp)))
      }),
    [Symbol.asyncDispose]: () => connection.end(),
  }
}

const openChannel = ({ client }: Connection): Promise<Duplex> =>
  new Promise((resolved, reject) => {
    client.subsys('sftp', (error, channel) => {
      if (error) return reject(resticFailure('no_sftp'))
      // Otherwise it never closes.
      channel.stderr.resume()
      resolved(channel)
    })
  })

/** As OpenSSH writes it. body: base64, as one line. */
const renderKey = (body: string): string =>
  ['-----BEGIN OPENSSH PRIVATE KEY-----', ...(body.match(/.{1,70}/g) ?? []), '-----END OPENSSH PRIVATE KEY-----', ''].join('\n')

const causes: Readonly<Record<string, ResticFailure>> = {
  unreachable: 'unreachable',
  too_slow: 'unreachable',
  host_key_changed: 'host_key',
  login_failed: 'refused_key',
}

/** The sentences of a login are about servers. */
function explain(error: unknown): unknown {
  const why = error instanceof MachineFailure ? causes[error.problem.code] : undefined
  return why === undefined ? error : resticFailure(why)
}
