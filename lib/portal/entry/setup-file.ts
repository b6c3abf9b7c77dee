/** Reads the file of `gatehouse setup`: who owns the team, who is invited, and which service is connected. */
import 'server-only'
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { isUsableKey } from '@/lib/portal/custody/credential'
import { invalidEmail, parseEmail } from '@/lib/portal/identity/email'
import { refuseName } from '@/lib/portal/identity/name'
import { parseEndDate } from '@/lib/portal/subjects/team/end-date'

/** One line for each fault, which names the line or field and never a value. */
export class SetupFileError extends Error {}

/** A text that `refuse` has nothing against. */
const text = (refuse: (value: string) => string | null) =>
  z.string('Enter a text.').superRefine((value, context) => {
    const why = refuse(value)
    if (why !== null) context.addIssue({ code: 'custom', message: why })
  })

const email = z.string('Enter a text.').transform((value, context) => {
  const parsed = parseEmail(value)
  if (parsed !== null) return parsed
  context.addIssue({ code: 'custom', message: invalidEmail })
  return z.NEVER
})

const name = text(refuseName).transform((value) => value.trim())

const day = z.string('Enter a day such as 2027-05-31.').transform((value, context) => {
  const end = parseEndDate(value)
  if (!('refusal' in end)) return end.endsAt
  context.addIssue({ code: 'custom', message: end.refusal })
  return z.NEVER
})

// Weaker hashes than these are guessed too fast; costlier ones would keep sign-ins waiting.
const hashCost = { memory: [19_456, 262_144], passes: [2, 10], lanes: [1, 4] } as const
const hashShape = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{22,86})\$([A-Za-z0-9+/]{43,86})$/

/** Of a hash that was cut off or mistyped each sign-in would fail with an error. */
const isBase64 = (text: string): boolean => Buffer.from(text, 'base64').toString('base64').replace(/=+$/, '') === text

function refuseHash(hash: string): string | null {
  const [, memoryCost, timeCost, parallelism, salt = '', digest = ''] = hashShape.exec(hash) ?? []
  const costs = [memoryCost, timeCost, parallelism].map(Number)
  const ranges = Object.values(hashCost)
  const isRight = ranges.every(([least, most], place) => isWithin(costs[place], least, most))
  if (isRight && [salt, digest].every(isBase64)) return null
  const [memory, passes, lanes] = ranges.map(([least, most]) => `${least} to ${most}`)
  return `Enter a hash of argon2id, as argon2 -id -e prints it, with m=${memory} (KiB), t=${passes}, p=${lanes}.`
}

const isWithin = (value: number | undefined, least: number, most: number) => value !== undefined && value >= least && value <= most

const path = text((value) => (isAbsolute(value) ? null : 'Enter a whole path, which begins with /.'))

const key = text((value) =>
  isUsableKey(value) ? null : 'This is not an API key. An API key has 8 to 4096 ASCII characters and no spaces.',
)

const shape = z.strictObject(
  {
    team: name.optional(),
    owner: z.strictObject({ name, email, passwordHash: text(refuseHash).optional() }, 'Enter who owns the team.'),
    invitations: z
      .array(
        z.strictObject({
          email,
          role: z.enum(['owner', 'admin', 'operator', 'viewer', 'guest'], 'Use owner, admin, operator, viewer or guest.'),
          until: day.optional(),
          access: z.boolean('Use true or false.').optional(),
        }),
        'Enter a list.',
      )
      .max(1000, 'Invite at most 1000 addresses.')
      .optional(),
    connection: z
      .strictObject({
        label: z.string('Enter a text.').optional(),
        address: z.string('Enter a text.').optional(),
        key: key.optional(),
        keyFile: path.optional(),
      })
      .refine((given) => (given.key === undefined) !== (given.keyFile === undefined), 'Enter either key or keyFile.')
      .optional(),
  },
  'Enter an object.',
)

/** As read: texts trimmed and checked each by itself. `until`: the end of the day. connection: with its key, wherever that stood. */
export type Setup = Omit<z.output<typeof shape>, 'connection'> & {
  connection: { label: string | undefined; address: string | undefined; key: string } | undefined
}

/** Throws SetupFileError. @param file a path, or `-` for standard input */
export function readSetupFile(file: string): Setup {
  const shown = file === '-' ? 'Standard input' : file
  const parsed = shape.safeParse(parseJson(readPrivate(file, shown), shown))
  if (!parsed.success)
    throw new SetupFileError(
      parsed.error.issues
        .flatMap(describeIssue)
        .map((line) => `${shown}, ${line}`)
        .join('\n'),
    )
  const { connection, ...rest } = parsed.data
  if (connection === undefined) return { ...rest, connection }
  const { label, address, keyFile = '' } = connection
  return { ...rest, connection: { label, address, key: connection.key ?? readKey(keyFile) } }
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  const at = issue.path.reduce<string>((whole, part) => (typeof part === 'number' ? `${whole}[${part}]` : `${whole}.${String(part)}`), '')
  if (issue.code !== 'unrecognized_keys') return [`${at.slice(1) || 'the file'}: ${issue.message}`]
  return issue.keys.map((unknown) => `${`${at}.${unknown}`.slice(1)}: There is no such field.`)
}

function readKey(file: string): string {
  const read = readPrivate(file, file).trim()
  if (!isUsableKey(read)) throw new SetupFileError(`${file}: This is not an API key.`)
  return read
}

/** JSON.parse quotes the text around a fault in its message, which may be a secret: only the line is named. */
function parseJson(content: string, shown: string): unknown {
  try {
    return JSON.parse(content)
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(error instanceof Error ? error.message : '') ?? []
    const line = position === undefined ? '' : `, line ${content.slice(0, Number(position)).split('\n').length}`
    throw new SetupFileError(`${shown}${line}: This is not valid JSON.`)
  }
}

/** Refuses a file that others could read or change. Access and contents are read through one descriptor, so that the file cannot be replaced in between. */
function readPrivate(file: string, shown: string): string {
  try {
    const opened = file === '-' ? 0 : openSync(file, 'r')
    try {
      const stat = fstatSync(opened)
      // Standard input may be a pipe of another user, who ran the command. A named pipe is a file like others.
      if (opened !== 0 || stat.isFile()) requirePrivate(stat, shown)
      return readFileSync(opened, 'utf8')
    } finally {
      if (opened !== 0) closeSync(opened)
    }
  } catch (error) {
    if (error instanceof SetupFileError) throw error
    throw new SetupFileError(`${shown} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

function requirePrivate({ mode, uid }: { mode: number; uid: number }, shown: string): void {
  if (uid !== 0 && uid !== process.geteuid?.()) {
    throw new SetupFileError(`${shown} belongs to another user: only root and the user who runs Gatehouse may own it.`)
  }
  if ((mode & 0o077) !== 0) throw new SetupFileError(`${shown} is accessible to other users: run chmod 0600 on it.`)
}
