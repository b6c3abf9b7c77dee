/** A server's address and the credential for it. */

export type Address = {
  /** A name, an IPv4 or an IPv6 address (brackets tolerated). */
  host: string
  port: number
}

/** Everything needed to connect to an admitted server; the private key was decrypted for this call only. */
export type HostAddress = Address & {
  /** The server's id, which identifies its connection and its lock. */
  id: string
  user: string
  /** The pinned fingerprint, SHA256:… */
  hostKey: string
  /** OpenSSH form, unencrypted. */
  privateKey: string
}

/** One request to a server: a constant script and the NUL-terminated values that it reads from standard input. */
export type Request = {
  script: string
  /** Never part of the script, an argument or the environment. Values may contain any byte except NUL. */
  values?: readonly string[]
  /** The script is killed after this many seconds. */
  timeoutSeconds?: number
}

/** The result of a script. `truncated` is true if an output exceeded the limit and was cut. */
export type ExecResult = { code: number; stdout: string; stderr: string; truncated: boolean }
