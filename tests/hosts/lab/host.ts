/** One running host of the lab, as tests use it. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { mustRun, type Output, run } from './command.ts'
import type { Gateway } from './gateway.ts'
import type { Login, Opener } from './login.ts'
import { type Namespace, startNamespace } from './namespace.ts'
import { type Link, linkProcess } from './network.ts'
import { script, slotFolder } from './places.ts'

export type Host = AsyncDisposable & {
  name: string
  ip: string
  port: 22
  /** The login: the user, and a password or a complete private key. */
  login: { user: string; pass: string }
  /** Runs a shell command as root, not over SSH: it leaves no trace in the host's SSH state and works while the network is cut. */
  run(command: string, options?: { stdin?: string; timeoutMs?: number }): Promise<Output>
  /** The fingerprint of the current ed25519 host key, SHA256:… */
  hostKeyFingerprint(): Promise<string>
  /** Reboots the host normally; resolves when SSH answers again and the boot is complete. */
  reboot(): Promise<void>
  /** Ends everything on the host at once, like a power cut (but written data stays), and starts it again; resolves like reboot. */
  powerCut(): Promise<void>
  /** Shrinks its disk to its contents, so that nothing more fits; and restores its size. */
  fillDisk(): Promise<void>
  freeDisk(): Promise<void>
  cutNetwork(): Promise<void>
  restoreNetwork(): Promise<void>
  /** Turns the host off and copies its disk to a new folder, from which others can start: without its keys, its id and its logins. */
  keepDisk(folder: string): Promise<void>
  /** Resolves when the host shows an SSH banner and has finished booting. */
  waitForSsh(): Promise<void>
  /** Stops the host and removes everything of it. `await using` does this too. */
  stop(): Promise<void>
}

export type HostOptions = { image: string; gateway: Gateway; login: Login; opener: Opener; name?: string }

const startMs = 120_000
const separate = ['--mount', '--propagation', 'private', '--net', '--uts', '--ipc', '--pid', '--fork', '--kill-child=KILL', '--mount-proc']

/** Starts a host and waits until it accepts logins. If it does not within two minutes, rejects and leaves nothing behind. */
export async function launchHost({ image, gateway, login, opener, name }: HostOptions): Promise<Host> {
  const space = await startNamespace(separate, [
    'bash',
    script('host.sh'),
    image,
    slotFolder,
    name ?? 'lab',
    `${process.pid}-${randomUUID()}`,
  ])
  try {
    const link = await linkProcess(space.pid)
    const lines = [link.address, gateway.nameServer, gateway.aptProxy, login.kind, opener.user, opener.publicKey, opener.password]
    space.tell(lines.join('\n'))
    const host = holdHost(space, link, { name: name ?? 'lab', login: { user: opener.user, pass: opener.pass } })
    await host.waitForSsh()
    return host
  } catch (error) {
    await space.kill()
    throw error
  }
}

function holdHost(space: Namespace, link: Link, who: Pick<Host, 'name' | 'login'>): Host {
  const inside: Host['run'] = async (command, options) => run('nsenter', [...enter(await findInit(space)), command], options)
  const restart = async (end: (init: number) => Promise<unknown>) => {
    const before = await findInit(space)
    await end(before)
    await until(space, 'did not start again', async () => (await findInit(space).catch(() => before)) !== before)
    await waitUntilUp()
  }
  const waitUntilUp = async () => {
    await until(space, 'shows no SSH banner', () => showsBanner(link.address))
    // Until the boot is complete, PAM refuses everyone except root.
    await until(space, 'does not finish starting', async () =>
      /running|degraded/.test((await inside('systemctl is-system-running')).stdout),
    )
  }
  const stop = async () => {
    await space.kill()
    while (link.exists()) await pause(10)
  }
  return {
    ...who,
    ip: link.address,
    port: 22,
    run: inside,
    hostKeyFingerprint: async () => (await inside('ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub')).stdout.split(' ')[1] ?? '',
    // As logind does once nothing inhibits it: on Debian 13 apt inhibits a reboot while it installs, even for root.
    reboot: () => restart(() => inside('systemctl start reboot.target --job-mode=replace-irreversibly --no-block')),
    powerCut: () => restart(async (init) => process.kill(init, 'SIGKILL')),
    fillDisk: () => resizeDisk(space, '$(($(stat -fc "(%b - %f) * %S" .)))'),
    freeDisk: () => resizeDisk(space, '4g'),
    async keepDisk(folder) {
      await inside('rm -rf /etc/ssh/ssh_host_* /root/.ssh /var/tmp/* && : >/etc/machine-id && systemctl start poweroff.target --no-block')
      await until(space, 'does not turn off', async () => (await findInit(space).catch(() => 0)) === 0)
      await insideMounts(space, `cp -a --one-file-system '${slotFolder}/root/.' '${folder}'`)
    },
    cutNetwork: link.cut,
    restoreNetwork: link.restore,
    waitForSsh: waitUntilUp,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** size: bytes; the shell evaluates it in the disk's own folder. */
const resizeDisk = (space: Namespace, size: string): Promise<void> =>
  insideMounts(space, `cd ${slotFolder} && mount -o "remount,size=${size}" ${slotFolder}`)

/** Runs a command outside the host, where its disk is mounted. */
async function insideMounts(space: Namespace, command: string): Promise<void> {
  const first = (await readFile(`/proc/${space.pid}/task/${space.pid}/children`, 'utf8')).trim()
  await mustRun('nsenter', ['-t', first, '-m', 'bash', '-c', command], { timeoutMs: 300_000 })
}

const enter = (init: number): string[] => [
  '-t',
  String(init),
  '--mount',
  '--uts',
  '--ipc',
  '--net',
  '--pid',
  '--cgroup',
  '--root',
  '--wd',
  '--',
  '/usr/bin/env',
  '-i',
  'HOME=/root',
  'LANG=C.UTF-8',
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  '/bin/bash',
  '-c',
]

/** The host's own init process: the descendant that has the id 1 in a pid namespace inside that of host.sh. */
async function findInit(space: Namespace): Promise<number> {
  const open = [space.pid]
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    const numbers = /^NSpid:\t(.*)$/m.exec(status)?.[1]?.split('\t') ?? []
    if (numbers.length >= 3 && numbers.at(-1) === '1') return pid
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
    open.push(...children.split(' ').filter(Boolean).map(Number))
  }
  throw new Error(`The host is not running. ${space.ended() ?? ''}`)
}

async function until(space: Namespace, otherwise: string, done: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + startMs
  while (!(await done().catch(() => false))) {
    const ended = space.ended()
    if (ended !== null) throw new Error(`The lab host ${ended}`)
    if (Date.now() > deadline) throw new Error(`The lab host ${otherwise}. ${await readConsole(space)}`)
    await pause(50)
  }
}

async function readConsole(space: Namespace): Promise<string> {
  const first = (await readFile(`/proc/${space.pid}/task/${space.pid}/children`, 'utf8').catch(() => '')).trim()
  return (await readFile(`/proc/${first}/root${slotFolder}/console.log`, 'utf8').catch(() => '')).slice(-1500) + space.said()
}

function showsBanner(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: address, port: 22, timeout: 1000 })
    const end = (shown: boolean) => {
      socket.destroy()
      resolve(shown)
    }
    socket.once('data', (bytes) => end(bytes.toString('latin1').startsWith('SSH-')))
    socket
      .once('error', () => end(false))
      .once('timeout', () => end(false))
      .once('close', () => end(false))
  })
}
