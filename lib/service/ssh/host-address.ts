/** Where a server is and the credential for it. */

export type Address = {
  /** A name, an IPv4 or an IPv6 address (brackets tolerated). */
  host: string
  port: number
}

/** What is needed to reach an admitted server; the store decrypted the private key for this call only. */
export type HostAddress = Address & {
  /** The server's id: there is one connection and one lock per id. */
  id: string
  user: string
  /** The pinned fingerprint, SHA256:… */
  hostKey: string
  /** OpenSSH form, unencrypted. */
  privateKey: string
}

/** One piece of work for a server: a constant script and the NUL-terminated values it reads from standard input. */
export type Request = {
  script: string
  /** Never part of the script, an argument or the environment. A value may contain anything but NUL. */
  values?: readonly string[]
  /** The script is killed after this many seconds. */
  timeoutSeconds?: number
}

/** The result of a script. Each output is cut at the limit, and `truncated` says so. */
export type ExecResult = { code: number; stdout: string; stderr: string; truncated: boolean }
