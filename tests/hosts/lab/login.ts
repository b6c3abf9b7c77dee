/** How a new host lets somebody in, and with what. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mustRun } from './command.ts'

export type Login =
  /** root with a key, as most providers hand a server over. */
  | { kind: 'root-key' }
  /** root with a password; sshd allows it. */
  | { kind: 'root-password'; password?: string }
  /** A user with a password whose sudo asks for that password. */
  | { kind: 'sudo-password'; user?: string; password?: string }
  /** A user with a key whose sudo asks nothing. */
  | { kind: 'sudo-free'; user?: string }
  /** A user with a password who may not use sudo at all. */
  | { kind: 'no-sudo'; user?: string; password?: string }

/** What opens the host: pass is a password or a whole private key in OpenSSH form. */
export type Opener = { user: string; pass: string; publicKey: string; password: string }

/** Makes the key pair or password of a login. A made-up password holds the characters that shells stumble over. */
export async function makeOpener(login: Login): Promise<Opener> {
  if (login.kind === 'root-key' || login.kind === 'sudo-free') {
    const { privateKey, publicKey } = await makeKeyPair()
    const user = login.kind === 'root-key' ? 'root' : (login.user ?? 'debian')
    return { user, pass: privateKey, publicKey, password: '' }
  }
  const password = login.password ?? `a:b $HOME'"\\ü ${randomBytes(6).toString('hex')}`
  return { user: login.kind === 'root-password' ? 'root' : (login.user ?? 'debian'), pass: password, publicKey: '', password }
}

/** A fresh ed25519 pair, both halves as OpenSSH writes them. */
async function makeKeyPair(): Promise<{ privateKey: string; publicKey: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'lab-key-'))
  try {
    const file = join(folder, 'key')
    await mustRun('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'lab', '-f', file])
    return { privateKey: await readFile(file, 'utf8'), publicKey: (await readFile(`${file}.pub`, 'utf8')).trim() }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
