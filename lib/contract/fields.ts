/** Request fields: their encoding, and the limits of the bundled service. No zod here, because forms in a browser use the same limits. */

/**
 * The limits of the bundled service for a text. The interface specifies none: other services may accept more or less.
 * `read` normalises a value before the check and for the handler. `message`: the error for any broken limit, or by the
 * limit's name; without one, the error is generated from the limit.
 */
export type Limits = {
  /** In code points. */
  minLength?: number
  /** In UTF-16 units, as forms count. */
  maxLength?: number
  /** Bytes of UTF-8. */
  maxBytes?: number
  /** An integer in digits, from min to max. */
  min?: number
  max?: number
  /** A regular expression (flag u) that must match the whole value. */
  pattern?: string
  values?: readonly string[]
  message?: string | { readonly [Limit in LimitName]?: string }
  read?: (given: string) => string
}

export type LimitName = 'minLength' | 'maxLength' | 'maxBytes' | 'range' | 'pattern' | 'values'

/** What the portal knows about the server that an operation targets or that a new site is created on. */
export type KnownValue = 'server.id' | 'server.name' | 'server.dns'

/**
 * Options of any field.
 * extension: sent only to services that announce extensions. audited: false keeps the field out of the audit log, because its text
 * may contain a secret. emptyIfAbsent: the bundled service reads an absent one as empty; clients always send it. alwaysFrom: the portal overwrites the given value. defaultFrom: the portal supplies a missing value.
 */
type Traits = {
  extension?: boolean
  audited?: false
  emptyIfAbsent?: true
  alwaysFrom?: KnownValue
  defaultFrom?: KnownValue
}

/**
 * asks: with this value the operation only asks and changes nothing; `refusal` is the error if the service lacks the field.
 * unusedWhenAsking: checked only if the operation is to change something.
 */
type TextTraits = Traits & Limits & { asks?: { value: string; refusal: string }; unusedWhenAsking?: true }

/**
 * The encoding of a request field. text and secret: as they are; flag: 1 or 0; list: name[]=a&name[]=b.
 * A secret is never logged, audited or echoed. integer: the interface calls the flag an integer. plainItems: no item contains a comma or a
 * bracket, so that the list may also be one text. countsWith: the flag without which the list means nothing.
 */
export type TextField = TextTraits & { kind: 'text' | 'secret' }
export type FlagField = Traits & { kind: 'flag'; integer?: true }
export type ListField = Traits & { kind: 'list'; plainItems?: true; countsWith?: string }
export type Field = TextField | FlagField | ListField

/** The longest value that is sent to any service: enough for a private key and a long command. UTF-16 units. */
export const maxFieldLength = 65_536

export function text(): { kind: 'text' }
export function text<const Options extends TextTraits>(options: Options): Options & { kind: 'text' }
export function text(options: TextTraits = {}): TextField {
  return { ...options, kind: 'text' }
}

function secret(): { kind: 'secret' }
function secret<const Options extends TextTraits>(options: Options): Options & { kind: 'secret' }
function secret(options: TextTraits = {}): TextField {
  return { ...options, kind: 'secret' }
}

export const flag = { kind: 'flag' } as const
export const status = { kind: 'flag', integer: true } as const
/** Sent only to services that announce extensions. */
export const extensionFlag = { kind: 'flag', integer: true, extension: true } as const

/** Ids as the service's own lists have them. */
export const ids = { kind: 'list', plainItems: true } as const
/** Names of files, which may contain anything. */
export const fileNames = { kind: 'list' } as const
/** Names of tables, which may contain anything. Form encoders drop an empty list. */
export const tableNames = { kind: 'list', emptyIfAbsent: true, countsWith: 'database' } as const

const trim = (given: string): string => given.trim()
const fold = (given: string): string => given.trim().toLowerCase()

/** A flag that is a text, as flags may be written. */
function digitOf(given: string): string {
  const word = fold(given)
  return word === 'true' ? '1' : word === 'false' ? '0' : word
}

/** The name of a site, as people write it: letters of any script. The service turns it into punycode and checks more. */
export const domain = text({
  maxLength: 253,
  pattern: '[\\p{L}\\p{N}\\p{M}.-]+',
  read: fold,
  message: 'Enter a domain name, such as example.org.',
})

/** Excludes control characters, which would corrupt lists and logs. */
const oneLine = '[^\\p{Cc}]*'
const maxNoteLength = 100

export const serverName = text({
  maxLength: maxNoteLength,
  pattern: `(?!\\s*$)${oneLine}`,
  message: `Enter a name of at most ${maxNoteLength} printable characters.`,
})

/** DNS provider: may be empty. */
export const note = text({ maxLength: maxNoteLength, pattern: oneLine, message: `Enter at most ${maxNoteLength} printable characters.` })

/** Region and type of a server. */
export const optionalNote = text({ ...note, emptyIfAbsent: true })

/** Where a server with an address may stand. The bundled service creates none there: it signs in by SSH, as it does for ssh. */
const cloudNames = [
  'akamai',
  'alibaba',
  'aws',
  'azure',
  'contabo',
  'digitalocean',
  'do',
  'ec2',
  'exoscale',
  'gce',
  'gcp',
  'google',
  'hetzner',
  'hostinger',
  'ibm',
  'ionos',
  'leaseweb',
  'lightsail',
  'linode',
  'netcup',
  'oracle',
  'ovh',
  'ovhcloud',
  'rackspace',
  'scaleway',
  'upcloud',
  'vultr',
] as const

/** The names of the bundled service's providers. Any other word may be a mistyped sandbox, which must not touch a real server. */
export const providerNames = ['ssh', 'custom', '', ...cloudNames, 'sandbox'] as const
export const provider = text({
  values: providerNames,
  read: (given) => fold(given).replace(/[ _-]/g, ''),
  message: 'Use ssh for a real server, or sandbox for a simulated one.',
})

/** The service checks the syntax of the address; this is the maximum length of a DNS name. */
export const host = text({ maxLength: 253, read: trim, message: 'Enter a host name, an IPv4 address or an IPv6 address.' })
export const port = text({ min: 1, max: 65_535 })

const maxHostnameLength = 64
const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'

/** A hostname that Linux and mail servers both accept, in lower case. */
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

/** A system user that the server's list has, whoever made it and however it is called: only what cannot be a name is refused. */
export const listedAccount = text({
  maxLength: 256,
  pattern: '(?![+-])[^\\s\\p{Cc}:/]+',
  message: 'Enter the name of a system user, as the list has it.',
})

/** Any text in one line, transmitted byte for byte. The server's own library accepts 511 bytes. */
export const accountPassword = secret({
  minLength: 8,
  maxBytes: 500,
  pattern: oneLine,
  message: { pattern: 'A password must be one line without control characters.' },
})

/** One line, so that every configuration can hold it. */
export const databasePassword = secret({ ...accountPassword })

const addressPart = '[a-z0-9_-]+(\\.[a-z0-9_-]+)*'

/** What is before the @ of an address of a site. A plus sign separates a note from it, so it is no part of the name. */
export const addressUser = text({
  maxLength: 64,
  pattern: `(?!-)${addressPart}`,
  read: fold,
  message: 'Enter what is before the @, such as info: letters, digits, dots, hyphens and underscores.',
})

/** An address that mail is forwarded to. The service checks its domain. */
export const forwardAddress = text({
  maxLength: 254,
  pattern: "[A-Za-z0-9_+=~'&-]+(\\.[A-Za-z0-9_+=~'&-]+)*@[\\p{L}\\p{N}\\p{M}.-]+",
  read: trim,
  message: 'Enter an email address, such as someone@example.org.',
})

/** For sending. Empty: the address keeps the password it has, or has none and cannot send. */
export const addressPassword = secret({
  maxBytes: 200,
  pattern: '([^\\p{Cc}]{8,})?',
  message: { pattern: 'Enter at least 8 characters in one line.' },
})

/**
 * A public key in one line, as in a file that ends in .pub. The service checks it. Not audited, because somebody may paste the private key; the
 * forms refuse that before it is sent.
 */
export const sftpKey = text({
  maxLength: 16_384,
  pattern: '(?![\\s\\S]*(?:PRIVATE KEY|Private-Lines))[\\s\\S]*',
  read: trim,
  message: {
    maxLength: 'This is too long for a public key.',
    pattern: 'This is a private key, which must stay on your computer. Create a new pair to replace it, and paste the public key.',
  },
  audited: false,
})

/** As the list of keys returns it. */
export const keyFingerprint = text({ pattern: 'SHA256:[A-Za-z0-9+/]{43}', message: 'Send a fingerprint as the list of keys returns it.' })

export const loginName = text({
  ...accountName,
  message: 'Enter the name of a user on the server, such as root.',
  unusedWhenAsking: true,
})

/** A password or a complete private key. */
export const loginSecret = secret({
  minLength: 1,
  maxBytes: 16_384,
  message: { minLength: 'Enter the user’s password, or a private key that the server accepts.', maxBytes: 'This is too long.' },
  unusedWhenAsking: true,
})

/** Absent: trusts the key on first use, or keeps the stored one. A fingerprint must match before any login. */
export const hostKey = text({
  extension: true,
  pattern: 'ask|SHA256:[A-Za-z0-9+/]{43}',
  message: 'Send ask, or a fingerprint like SHA256:… as ssh-keygen shows it.',
  asks: { value: 'ask', refusal: 'This service cannot show a host key before it logs in.' },
})

/** Absent or 1: sites of the account that are on the server already come back. ask: only if there are none; else they are named. */
export const adopt = text({ extension: true, values: ['', '1', 'ask'] })

/** Cron checks the combination of the five. */
export const cronTime = text({
  maxLength: 100,
  pattern: '(@?[\\w*,/~-]+)?',
  read: trim,
  message: 'Enter a number, *, a list, a range or a step.',
})

const maxCommandLength = 998

/** The longest command that cron accepts, as written in the crontab. Not audited, because users write passwords into commands. */
export const cronCommand = text({
  maxBytes: maxCommandLength,
  read: (given) => given.replace(/^[ \t]+/, ''),
  message: { maxBytes: `Cron takes at most ${maxCommandLength} bytes. Put the command into a script and run the script.` },
  audited: false,
})

/** Removes the direction that UFW shows for incoming traffic. */
const withoutDirection = (given: string): string => fold(given).replace(/ in$/, '')

export const ruleActions = ['allow', 'deny', 'reject', 'limit'] as const
export const ruleAction = text({ values: ruleActions, read: withoutDirection })

export const ruleProtocols = ['any', 'tcp', 'udp'] as const
export const ruleProtocol = text({ values: ruleProtocols, read: fold, message: 'Use tcp, udp or any.' })

export const ruleId = text({ pattern: 'v[46]-[\\w-]{16}', message: 'Send a rule id as the list returns it.' })

/** As the list of services returns it. */
export const serviceUnit = text({
  maxLength: 60,
  pattern: '[a-z][a-z0-9.-]*(@\\*)?\\.service',
  message: 'Send a unit as the list of services returns it.',
})

/** Each service names its logs. */
export const logName = text({ maxLength: 300 })

export const siteLogNames = ['access', 'error', 'php'] as const
export const siteLogName = text({ values: siteLogNames, message: `Give one of ${siteLogNames.join(', ')}.` })

export const phpVersion = text({ pattern: '\\d{1,2}\\.\\d{1,2}', message: 'Give a version of PHP, such as 8.2.' })

/** In MB. More than that no request may have in Apache, and no site in total. */
export const uploadLimit = text({ min: 1, max: 1000 })
export const memoryLimit = text({ min: 32, max: 1000 })

/** How many requests PHP of a site works on at the same time, and how many more wait. Absent: stays as it is. */
export const siteWorkers = text({ extension: true, min: 1, max: 30 })
export const siteWaiting = text({ extension: true, min: 0, max: 30 })

/** How many mails the programs of a site may send in an hour. Absent: stays as it is. */
export const siteMailPerHour = text({ extension: true, min: 1, max: 5000 })

/** 1: the name of a site with www leads to its domain. Absent, that stays as it is. */
export const wwwRedirect = text({ extension: true, min: 0, max: 1, read: digitOf })

/** For how many seconds browsers that came by https insist on it; 0: they do not. Two years at most. */
export const hstsSeconds = text({ extension: true, min: 0, max: 63_072_000 })

const folderName = '[A-Za-z0-9_][A-Za-z0-9._-]*'

/** Relative to the folder of a site that is served; empty for that folder itself. */
export const siteFolder = text({
  maxLength: 200,
  pattern: `(${folderName}(/${folderName})*)?`,
  read: (given) => given.trim().replace(/^\/+|\/+$/g, ''),
  message: 'Enter a folder inside public, such as web or app/public: letters, digits, dots, hyphens and underscores.',
})

/** What a backup target is: absent for s3. */
export const targetKind = text({
  values: ['s3', 'sftp', 'folder'],
  extension: true,
  message: 'Send s3, sftp or folder.',
})

/** An origin of S3-compatible storage. This and what follows are sent for targets of one kind, and left out for others. */
export const bucketEndpoint = text({
  maxLength: 300,
  pattern: '|https?://[A-Za-z0-9.\\[\\]:-]+',
  message: 'Send an origin, such as https://s3.example.org.',
  emptyIfAbsent: true,
})
export const bucketRegion = text({
  pattern: '[a-z0-9-]{0,40}',
  message: 'Send a region, such as eu-central-1.',
  emptyIfAbsent: true,
})
export const bucketName = text({
  pattern: '|[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]',
  message: 'Send the name of a bucket.',
  emptyIfAbsent: true,
})

/** Where a user signs in by SFTP. */
export const targetHost = text({
  pattern: '[A-Za-z0-9][A-Za-z0-9.-]{0,252}|[0-9A-Fa-f:.]{2,45}',
  message: 'Send a host name, an IPv4 address or an IPv6 address.',
  extension: true,
})
export const targetPort = text({ pattern: '[1-9][0-9]{0,4}', message: 'Send a port.', extension: true })
export const targetUser = text({
  pattern: '[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,63}',
  message: 'Send the name of a user.',
  extension: true,
})

/** The only host key that is accepted, as type and key. */
export const targetHostKey = text({
  pattern: '(ssh-ed25519|ecdsa-sha2-nistp(256|384|521)) [A-Za-z0-9+/]{40,1000}={0,3}',
  message: 'Send a host key as its type and the key in base64.',
  extension: true,
})
/** What a server speaks there: SFTP, or restic's protocol with rclone, which a line of authorized_keys starts and keeps from deleting. */
export const targetAccess = text({ values: ['sftp', 'rclone'], extension: true, message: 'Send sftp or rclone.' })
export const targetPrivateKey = secret({
  pattern: '[A-Za-z0-9+/]{100,1000}={0,2}',
  message: 'Send a private key of OpenSSH: what is between its first and its last line, as one line.',
  extension: true,
})

const bucketFolderName = '(?!\\.+(?:/|$))[A-Za-z0-9_.-]+'

/** Of restic, which shortens it in Debian 12. */
export const snapshotId = text({ pattern: '[0-9a-f]{8,64}', message: 'Send the id of a snapshot, as a copy answers it.' })

/** The same, of copies. Not audited, because the audit log has how many. */
export const snapshotIds = { kind: 'list', plainItems: true, audited: false } as const

/** Of the archive in a copy, not compressed. Copies from before it was noted have none. */
export const archiveHash = text({
  extension: true,
  pattern: '[0-9a-f]{64}',
  message: 'Send a SHA-256 in hexadecimal, as a copy answers it.',
})

/** Of a repository: in its bucket, from where a user signs in, or from the root. */
export const bucketFolder = text({
  maxLength: 300,
  pattern: `/?${bucketFolderName}(/${bucketFolderName})*`,
  message: 'Send a folder, without a slash at its end.',
})
/** Of a whole target. */
export const targetFolder = text({ ...bucketFolder, pattern: `|${bucketFolder.pattern}`, emptyIfAbsent: true })
export const bucketKeyId = text({
  pattern: '|[A-Za-z0-9_.+=@:-]{3,128}',
  message: 'Send the ID of an access key.',
  audited: false,
  emptyIfAbsent: true,
})
export const bucketKeySecret = secret({
  pattern: '|[\\x21-\\x7e]{8,256}',
  message: 'Send the secret of the access key.',
  emptyIfAbsent: true,
})

/** Of a repository that this password opens, or that it is made with. */
export const repositoryPassword = secret({
  pattern: '[A-Za-z0-9_-]{32,128}',
  message: 'Send 32 to 128 letters, digits, hyphens and underscores.',
})

/** KB/s, of 1024 bytes. Absent or empty for no limit. */
export const copyLimit = text({
  pattern: '|[1-9][0-9]{0,6}',
  message: 'Send a number of KB per second, or nothing.',
  emptyIfAbsent: true,
})
