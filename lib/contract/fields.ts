/** Request fields: how each travels, and what the bundled service takes. No zod here, so that forms in a browser read the same limits. */

/**
 * What the bundled service takes for a text. The interface names no such limit: other services may take more or less.
 * `read` puts a value in order before it is looked at, and is what the handler gets. `message`: what a person is told,
 * for any broken limit or by the limit's name; where nothing is said, a sentence is made from the limit.
 */
export type Limits = {
  /** Characters as people count them. */
  minLength?: number
  /** Characters as forms count them: UTF-16 units. */
  maxLength?: number
  /** Bytes of UTF-8. */
  maxBytes?: number
  /** A whole number, written in digits, from min to max. */
  min?: number
  max?: number
  /** A regular expression (flag u) that the whole value matches. */
  pattern?: string
  values?: readonly string[]
  message?: string | { readonly [Limit in LimitName]?: string }
  read?: (given: string) => string
}

export type LimitName = 'minLength' | 'maxLength' | 'maxBytes' | 'range' | 'pattern' | 'values'

/** What the portal knows of the server that an operation is aimed at, or that a new site is made on. */
export type KnownValue = 'server.id' | 'server.name' | 'server.dns'

/**
 * What holds for a field of any kind.
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

/** More than this in one field is sent to no service: room for a private key and a long command. UTF-16 units. */
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

/** Control characters have no place in what is shown in lists and logs. */
const oneLine = '[^\\p{Cc}]*'
const maxNoteLength = 100

export const serverName = text({
  maxLength: maxNoteLength,
  pattern: `(?!\\s*$)${oneLine}`,
  message: `Give the server a name of at most ${maxNoteLength} plain characters.`,
})

/** DNS provider, region, type: may be left empty. */
export const note = text({ maxLength: maxNoteLength, pattern: oneLine, message: `Give at most ${maxNoteLength} plain characters.` })

/** Names that the bundled service knows its providers by. */
export const providerNames = ['ssh', 'custom', '', 'sandbox'] as const
export const provider = text({ values: providerNames, message: 'Give ssh for a real machine, or sandbox for a simulated one.' })

/** What makes an address is the service's to tell; this is how long a name in the DNS may be. */
export const host = text({ maxLength: 253, read: trim, message: 'Give a host name, an IPv4 or an IPv6 address.' })
export const port = text({ min: 1, max: 65_535 })

const maxHostnameLength = 64
const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'

/** The name a machine gives itself: what Linux and mail both take, in lower case. */
export const hostname = text({
  maxLength: maxHostnameLength,
  pattern: `(?![\\d.]+$)${label}(\\.${label})*`,
  read: fold,
  message: `Give a name of letters, digits and hyphens, such as web-1.example.org, of at most ${maxHostnameLength} characters.`,
})

/** An account on a server; whether there is one is the server's to say. */
export const accountName = text({
  maxLength: 32,
  pattern: '[A-Za-z_][A-Za-z0-9_.-]*',
  message: 'Give the name of an account on the server, such as root.',
})

/** Any text that can be typed in one line; it arrives byte for byte. The machine's own library takes 511 bytes. */
export const accountPassword = secret({
  minLength: 8,
  maxBytes: 500,
  pattern: oneLine,
  message: { pattern: 'A password is one line without control characters.' },
})

export const loginName = text({
  ...accountName,
  message: 'Give the name of a user on the machine, such as root.',
  unusedWhenAsking: true,
})

/** A password, or a whole private key. */
export const loginSecret = secret({
  minLength: 1,
  maxBytes: 16_384,
  message: { minLength: 'Give the password of the user, or a private key that opens the machine.', maxBytes: 'This is too long.' },
  unusedWhenAsking: true,
})

/** Absent: trust the key that is shown, or keep the one on record. A fingerprint has to match before anybody logs in. */
export const hostKey = text({
  extension: true,
  pattern: 'ask|SHA256:[A-Za-z0-9+/]{43}',
  message: 'Give ask, or a fingerprint like SHA256:… as ssh-keygen shows it.',
  asks: { value: 'ask', refusal: 'This service cannot show a host key before it logs in.' },
})

/** Whether the five make sense together is cron's to say. */
export const cronTime = text({
  maxLength: 100,
  pattern: '(@?[\\w*,/~-]+)?',
  read: trim,
  message: 'Give a number, *, a list, a range or a step.',
})

const maxCommandLength = 998

/** Cron takes no longer command, measured as it stands in the crontab. People write passwords into commands. */
export const cronCommand = text({
  maxBytes: maxCommandLength,
  read: (given) => given.replace(/^[ \t]+/, ''),
  message: { maxBytes: `Cron takes at most ${maxCommandLength} bytes. Put the command into a script and run that.` },
  audited: false,
})

/** As UFW lists a rule that is about what comes in. */
const withoutDirection = (given: string): string => fold(given).replace(/ in$/, '')

export const ruleActions = ['allow', 'deny', 'reject', 'limit'] as const
export const ruleAction = text({ values: ruleActions, read: withoutDirection })

export const ruleProtocols = ['any', 'tcp', 'udp'] as const
export const ruleProtocol = text({ values: ruleProtocols, read: fold, message: 'Give tcp, udp or any.' })

export const ruleId = text({ pattern: 'v[46]-[\\w-]{16}', message: 'Give the id of a rule as the list tells it.' })

/** Which logs there are is each service's own. */
export const logName = text({ maxLength: 300 })
