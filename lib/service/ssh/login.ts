/** Offers a credential only once, so that failed logins do not lock out the user. */
import type { AnyAuthMethod, AuthenticationType, AuthHandlerMiddleware } from 'ssh2'

export type Login = { user: string } & ({ password: string } | { privateKey: string })

/**
 * An ssh2 authentication handler for a single attempt. Sends a password with whichever of the two methods the server accepts: 'none' asks
 * the server for them first, as OpenSSH does, and does not count as a failed login.
 */
export function authenticateOnce(login: Login): AuthHandlerMiddleware {
  let offered = 0
  return (methods, _partial, next) => {
    const method = chooseMethod(login, offered++, methods)
    // ssh2 stops at false, which its types omit.
    next(method ?? (false as never))
  }
}

/** methods: those the server still accepts; null until the server has listed them. */
function chooseMethod(login: Login, offered: number, methods: AuthenticationType[] | null): AnyAuthMethod | null {
  const username = login.user
  if ('privateKey' in login) return offered === 0 ? { type: 'publickey', username, key: login.privateKey } : null
  if (offered === 0) return { type: 'none', username }
  if (offered > 1 || methods === null) return null
  const { password } = login
  if (methods.includes('password')) return { type: 'password', username, password }
  if (!methods.includes('keyboard-interactive')) return null
  return { type: 'keyboard-interactive', username, prompt: (_name, _text, _language, asked, finish) => finish(asked.map(() => password)) }
}

/** Why the login was refused, and how to give Gatehouse access. */
export function refusalOf(login: Login): string {
  if ('privateKey' in login) {
    return `The server does not accept this private key for ${login.user}. Add its public key to the authorized_keys of ${login.user}.`
  }
  const refused = `The server refused the password of ${login.user}.`
  if (login.user !== 'root') return `${refused} Check the user and password; if the server accepts keys only, paste a private key instead.`
  return `${refused} Debian does not allow root to log in with a password: use a user with sudo, or paste a private key whose public key is in /root/.ssh/authorized_keys.`
}
