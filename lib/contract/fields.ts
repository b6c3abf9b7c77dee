/** Request fields: how each travels, and what the bundled service takes. No zod here, so that forms in a browser read the same limits. */

/**
 * What the bundled service takes for a text. The interface names no such limit: other services may take more or less.
 * `read` puts a value in order before it is looked at, and is what the handler gets. `message`: what a person is told,
 * for any broken limit or by the limit's name; where nothing is said, a sentence is made from the limit.
 */
export type Limits = {
  /** In code points. */
  minLength?: number
  /** In UTF-16 units, as forms count. */
  maxLength?: number
  /** Bytes of UTF-8. */
  maxBytes?: number
  /** A whole number in digits, from min to max. */
  min?: number
  max?: number
  /** A regular expression (flag u) that the whole value matches. */
  pattern?: string
  values?: readonly string[]
  message?: string | { readonly [Limit in LimitName]?: string }
  read?: (given: string) => string
}

export type LimitName = 'minLength' | 'maxLength' | 'maxBytes' | 'range' | 'pattern' | 'values'

/** What the portal knows of the server that an operation targets, or that a new site is created on. */
export type KnownValue = 'server.id' | 'server.name' | 'server.dns'

/**
 * Options of a field of any kind.
 * extension: sent only to services that announce extensions. audited: false keeps it out of the audit log, for texts that
 * may hold a secret. alwaysFrom: the portal fills it in, whatever was given. defaultFrom: filled in where nothing was given.
 */
type Traits = {
  extension?: boolean
  audited?: false
  alwaysFrom?: KnownValue
  defaultFrom?: KnownValue
}

/**
 * asks: with this value the operation changes nothing and only asks; `refusal` is said where the service has no such field.
 * unusedWhenAsking: looked at only when the operation is to act.
 */
type TextTraits = Traits & Limits & { asks?: { value: string; refusal: string }; unusedWhenAsking?: true }

/**
 * How a request field travels. text and secret as they are; flag as 1 or 0; list as name[]=a&name[]=b.
 * secret is never logged, audited or echoed. A strict flag is one the interface calls an integer: a reader takes 1 and 0
 * for it, nothing else.
 */
export type TextField = TextTraits & { kind: 'text' | 'secret' }
export type Field = TextField | (Traits & { kind: 'flag'; strict?: boolean }) | (Traits & { kind: 'list' })

/** No service is sent more than this in one field: enough for a private key and a long command. UTF-16 units. */
export const maxFieldLength = 65_536

export function text(): { kind: 'text' }
export function text<const Options extends TextTraits>(options: Options): Options & { kind: 'text' }
export function text(options: TextTraits = {}): TextField {
  return { ...options, kind: 'text' }
}

export function secret(): { kind: 'secret' }
export function secret<const Options extends TextTraits>(options: Options): Options & { kind: 'secret' }
export function secret(options: TextTraits = {}): TextField {
  return { ...options, kind: 'secret' }
}

export const flag = { kind: 'flag' } as const
export const status = { kind: 'flag', strict: true } as const
export const list = { kind: 'list' } as const

const trim = (given: string): string => given.trim()
const fold = (given: string): string => given.trim().toLowerCase()

/** Control characters do not belong into lists and logs. */
const oneLine = '[^\\p{Cc}]*'
const maxNoteLength = 100

export const serverName = text({
  maxLength: maxNoteLength,
  pattern: `(?!\\s*$)${oneLine}`,
  message: `Enter a name of at most ${maxNoteLength} printable characters.`,
})

/** DNS provider, region, type: may be empty. */
export const note = text({ maxLength: maxNoteLength, pattern: oneLine, message: `Enter at most ${maxNoteLength} printable characters.` })

/** The names of the bundled service's providers. */
export const providerNames = ['ssh', 'custom', '', 'sandbox'] as const
export const provider = text({ values: providerNames, message: 'Use ssh for a real server, or sandbox for a simulated one.' })

/** The service checks the form of an address; this is the longest name in the DNS. */
export const host = text({ maxLength: 253, read: trim, message: 'Enter a host name, an IPv4 address or an IPv6 address.' })
export const port = text({ min: 1, max: 65_535 })

const maxHostnameLength = 64
const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'

/** A hostname that both Linux and mail accept, in lower case. */
export const hostname = text({
  maxLength: maxHostnameLength,
  pattern: `(?![\\d.]+$)${label}(\\.${label})*`,
  read: fold,
  message: `Enter a name of letters, digits and hyphens, such as web-1.example.org, of at most ${maxHostnameLength} characters.`,
})

/** A system user; the service checks whether it exists. */
export const accountName = text({
  maxLength: 32,
  pattern: '[A-Za-z_][A-Za-z0-9_.-]*',
  message: 'Enter the name of a system user, such as root.',
})

/** Any text in one line; it arrives byte for byte. The server's own library accepts 511 bytes. */
export const accountPassword = secret({
  minLength: 8,
  maxBytes: 500,
  pattern: oneLine,
  message: { pattern: 'A password must be one line without control characters.' },
})

export const loginName = text({
  ...accountName,
  message: 'Enter the name of a user on the server, such as root.',
  unusedWhenAsking: true,
})

/** A password, or a whole private key. */
export const loginSecret = secret({
  minLength: 1,
  maxBytes: 16_384,
  message: { minLength: 'Enter the user’s password, or a private key that the server accepts.', maxBytes: 'This is too long.' },
  unusedWhenAsking: true,
})

/** Absent: trust the key that is shown, or keep the one on record. A fingerprint has to match before anyone logs in. */
export const hostKey = text({
  extension: true,
  pattern: 'ask|SHA256:[A-Za-z0-9+/]{43}',
  message: 'Send ask, or a fingerprint like SHA256:… as ssh-keygen shows it.',
  asks: { value: 'ask', refusal: 'This service cannot show a host key before it logs in.' },
})

/** Cron checks whether the five make sense together. */
export const cronTime = text({
  maxLength: 100,
  pattern: '(@?[\\w*,/~-]+)?',
  read: trim,
  message: 'Enter a number, *, a list, a range or a step.',
})

const maxCommandLength = 998

/** Cron accepts no longer command, measured as written in the crontab. Users write passwords into commands. */
export const cronCommand = text({
  maxBytes: maxCommandLength,
  read: (given) => given.replace(/^[ \t]+/, ''),
  message: { maxBytes: `Cron takes at most ${maxCommandLength} bytes. Put the command into a script and run the script.` },
  audited: false,
})

/** As UFW lists a rule for incoming traffic. */
const withoutDirection = (given: string): string => fold(given).replace(/ in$/, '')

export const ruleActions = ['allow', 'deny', 'reject', 'limit'] as const
export const ruleAction = text({ values: ruleActions, read: withoutDirection })

export const ruleProtocols = ['any', 'tcp', 'udp'] as const
export const ruleProtocol = text({ values: ruleProtocols, read: fold, message: 'Use tcp, udp or any.' })

export const ruleId = text({ pattern: 'v[46]-[\\w-]{16}', message: 'Send a rule id as the list returns it.' })

/** Each service has its own logs. */
export const logName = text({ maxLength: 300 })
