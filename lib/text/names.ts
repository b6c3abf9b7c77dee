/** Names in a sentence, for both the portal's server and its pages. */

const most = 8

/** "a.example, b.example and c.example"; of many, the first eight and "4 more". */
export function formatNames(names: readonly string[]): string {
  const said = names.length > most ? [...names.slice(0, most), `${names.length - most} more`] : names
  return said.length < 2 ? said.join('') : `${said.slice(0, -1).join(', ')} and ${said.at(-1)}`
}
