/** The client of SFTP that everybody has. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../lab/command'
import type { Host } from '../lab/lab'

/** Signs in by password and runs the commands, one per line. Resolves with everything that was said. */
export async function sftp(host: Host, user: string, password: string, commands: readonly string[]): Promise<string> {
  return signIn('sftp', host, user, password, `${commands.join('\n')}\n`, [])
}

/** Asks for a shell command instead. */
export async function shell(host: Host, user: string, password: string, options: readonly string[]): Promise<string> {
  return signIn('ssh', host, user, password, '', options)
}

async function signIn(
  program: string,
  host: Host,
  user: string,
  password: string,
  stdin: string,
  options: readonly string[],
): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'gatehouse-sftp-'))
  try {
    await writeFile(join(dir, 'password'), `${password}\n`)
    await writeFile(join(dir, 'ask'), `#!/bin/sh\ncat '${dir}/password'\n`, { mode: 0o700 })
    const common = [
      '-o',
      'StrictHostKeyChecking=no',
      '-o',
      'UserKnownHostsFile=/dev/null',
      '-o',
      'PubkeyAuthentication=no',
      '-o',
      'NumberOfPasswordPrompts=1',
    ]
    const target = program === 'ssh' ? [...options, `${user}@${host.ip}`, 'id'] : [`${user}@${host.ip}`]
    const asking = [
      'env',
      `SSH_ASKPASS=${dir}/ask`,
      'SSH_ASKPASS_REQUIRE=force',
      'timeout',
      '20',
      program,
      ...common,
      '-o',
      'ConnectTimeout=10',
    ]
    const { stdout, stderr } = await run('setsid', ['-w', ...asking, ...target], { stdin })
    return stdout + stderr
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
