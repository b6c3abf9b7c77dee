/** The system users in /etc/passwd, and which of them belong to people. */

export type Account = { name: string; uid: number; home: string }

/** uidMin, uidMax: the id range of people's system users on that server, inclusive. */
export type KnownAccounts = { accounts: readonly Account[]; uidMin: number; uidMax: number }

/** Debian's defaults, for servers that do not specify them. */
const usual = { uidMin: 1000, uidMax: 60_000 }

/** Parses /etc/passwd together with the id limits from login.defs, before or after it. Other lines are skipped. */
export function parseAccounts(text: string): KnownAccounts {
  const lines = text.split('\n')
  const limit = (name: string) => lines.map((line) => new RegExp(`^${name}\\s+(\\d{1,9})\\s*$`).exec(line)?.[1]).find(Boolean)
  return {
    accounts: lines.flatMap(parseLine),
    uidMin: Number(limit('UID_MIN') ?? usual.uidMin),
    uidMax: Number(limit('UID_MAX') ?? usual.uidMax),
  }
}

/** name:password:uid:gid:comment:home:shell */
function parseLine(line: string): Account[] {
  const parts = line.split(':')
  const [name = '', , uid = '', , , home = ''] = parts
  return parts.length === 7 && /^[^\s+-][^\s]*$/.test(name) && /^\d{1,10}$/.test(uid) ? [{ name, uid: Number(uid), home }] : []
}

export const isPerson = ({ uid }: Account, { uidMin, uidMax }: KnownAccounts): boolean => uid >= uidMin && uid <= uidMax

export const isRoot = ({ uid }: Account): boolean => uid === 0
