/** The credential a user enters for the first login: a password, or a complete private key in the same field. */
import { problem } from '@/lib/contract/problem'
import { type FirstLogin, MachineFailure } from '@/lib/service/machines/machine'
import type { Login } from '@/lib/service/ssh/login'
import { findKeyFault } from '@/lib/service/ssh/private-key'

/** Names that sshd, getent and sudoers read the same way. In sudoers, a name in capitals is an alias, or ALL. */
const userName = /^(?=.*[a-z])[A-Za-z_][A-Za-z0-9_.-]{0,31}$/

const keyFaults = {
  encrypted: 'This private key has a passphrase. Paste a key without one, for example one created for this purpose.',
  unreadable: 'This private key cannot be read. Paste the whole key, including its first and last line and its line breaks.',
  public: 'This is a public key. Paste the private key: it is used once and not stored.',
}

/** Throws MachineFailure invalid with the name of the wrong field and the reason. */
export function readCredential({ user, pass }: FirstLogin): Login {
  if (!userName.test(user)) throw invalid('user', 'This user name is not supported.')
  if (pass.trimStart().startsWith('-----BEGIN')) return { user, privateKey: readPrivateKey(pass) }
  if (pass === '') throw invalid('pass', 'Enter the user’s password, or a private key.')
  if (/[\0\n\r]/.test(pass)) throw invalid('pass', 'A password has one line. A private key starts with -----BEGIN.')
  return { user, password: pass }
}

function readPrivateKey(pasted: string): string {
  const privateKey = `${pasted.trim().replaceAll('\r\n', '\n')}\n`
  const fault = findKeyFault(privateKey)
  if (fault !== null) throw invalid('pass', keyFaults[fault])
  return privateKey
}

function invalid(field: string, why: string): MachineFailure {
  return new MachineFailure(problem('invalid', { sentence: why, fields: { [field]: why } }))
}
