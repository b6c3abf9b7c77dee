/** Names: what people write about a machine for themselves, and accounts on it. Each is null where it will do, else why not. */

const mostCharacters = 100

// Control characters have no place in what is shown in lists and logs.
const isPlain = (value: string) => value.length <= mostCharacters && !/\p{Cc}/u.test(value)

export function nameRefusal(name: string): string | null {
  return name.trim() !== '' && isPlain(name) ? null : `Give the server a name of at most ${mostCharacters} plain characters.`
}

/** For what may be left empty: DNS, region, type. */
export function noteRefusal(note: string): string | null {
  return isPlain(note) ? null : `Give at most ${mostCharacters} plain characters.`
}

const mostHostname = 64

/** For the name a machine gives itself: what Linux and mail both take, in lower case. */
export function hostnameRefusal(name: string): string | null {
  const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
  const fits = name.length <= mostHostname && name.split('.').every((part) => label.test(part)) && !/^[\d.]+$/.test(name)
  if (!fits) return `Give a name of letters, digits and hyphens, such as web-1.example.org, of at most ${mostHostname} characters.`
  return name === 'localhost' || name.startsWith('localhost.') ? 'Every machine is localhost to itself. Give a name of its own.' : null
}

const accountName = /^[A-Za-z_][A-Za-z0-9_.-]{0,31}$/

/** For the name of an account on a machine; whether there is one is the machine's to say. */
export function accountRefusal(name: string): string | null {
  return accountName.test(name) ? null : 'Give the name of an account on the server, such as root.'
}

const fewestLetters = 8
// What the machine's own library takes is 511 bytes.
const mostBytes = 500

/** For the password of an account. Any text will do that one can type in one line; it arrives byte for byte. */
export function passwordRefusal(pass: string): string | null {
  if (/\p{Cc}/u.test(pass)) return 'A password is one line without control characters.'
  if ([...pass].length < fewestLetters) return `Give at least ${fewestLetters} characters.`
  return Buffer.byteLength(pass) <= mostBytes ? null : `Give at most ${mostBytes} bytes.`
}
