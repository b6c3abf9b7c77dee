/** What people write about a machine for themselves: its name and short notes. Each is null where it will do, else why not. */

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
