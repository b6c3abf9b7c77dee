/** Builds HTML so that no outside text can become markup. */

/** Markup that is ready to send. */
export type Html = { markup: string }

type Piece = Html | string | number | readonly Piece[]

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeText = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)

function markupOf(piece: Piece): string {
  if (typeof piece === 'string' || typeof piece === 'number') return escapeText(String(piece))
  return 'markup' in piece ? piece.markup : piece.map(markupOf).join('')
}

/** A template whose values are escaped, both in text and in quoted attributes; markup and lists of markup are inserted as they are. */
export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return { markup: parts.map((part, index) => part + markupOf(pieces[index] ?? '')).join('') }
}
