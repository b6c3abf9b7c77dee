/** The logins that a new host can be created with. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mustRun } from './command.ts'

export type Login =
  /** root with a key, as most providers deliver a server. */
  | { kind: 'root-key' }
  /** root with a password; sshd allows it. */
  | { kind: 'root-password'; password?: string }
  /** A user with a password whose sudo asks for that password. */
  | { kind: 'sudo-password'; user?: string; password?: string }
  /** A user with a key whose sudo asks for nothing. */
  | { kind: 'sudo-free'; user?: string }
  /** A user with a password who may not use sudo. */
  | { kind: 'no-sudo'; user?: string; password?: string }

/** The login of a host: pass is a password or a complete private key in OpenSSH format. */
export type Opener = { user: string; pass: string; publicKey: string; password: string }

/** Creates the key pair or password of a login. A generated password contains characters that are special to shells. */
export async function makeOpener(login: Login): Promise<Opener> {
  if (login.kind === 'root-key' || login.kind === 'sudo-free') {
    const { privateKey, publicKey } = await makeKeyPair()
    const user = login.kind === 'root-key' ? 'root' : (login.user ?? 'debian')
    return { user, pass: privateKey, publicKey, password: '' }
  }
  const password = login.password ?? `a:b $HOME'"\\ü ${randomBytes(6).toString('hex')}`
  return { user: login.kind === 'root-password' ? 'root' : (login.user ?? 'debian'), pass: password, publicKey: '', password }
}

/** A new ed25519 pair, both halves in OpenSSH format. */
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
