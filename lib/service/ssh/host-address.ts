/** Where a machine is and what opens it. */

export type Address = {
  /** A name, an IPv4 or an IPv6 address (brackets tolerated). */
  host: string
  port: number
}

/** What is needed to reach an admitted machine; the private key was opened by the store for this call alone. */
export type HostAddress = Address & {
  /** The machine's id: one connection and one lock are kept per id. */
  id: string
  user: string
  /** The pinned fingerprint, SHA256:… */
  hostKey: string
  /** OpenSSH form, unencrypted. */
  privateKey: string
}

/** One piece of work for a machine: a constant script and the values it reads, NUL-terminated, from its standard input. */
export type Request = {
  script: string
  /** Never part of the script, an argument or the environment. A value may hold anything but NUL. */
  values?: readonly string[]
  /** The script is ended after this many seconds. */
  timeoutSeconds?: number
}

/** What a script left behind. Each output is cut at the bound, and `truncated` says so. */
export type ExecResult = { code: number; stdout: string; stderr: string; truncated: boolean }
