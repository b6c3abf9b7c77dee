/** Builds HTML and escapes all values, so that no outside text becomes markup. */

/** Markup that needs no escaping. */
export type Html = { markup: string }

type Piece = Html | string | number | readonly Piece[]

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeText = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)

function markupOf(piece: Piece): string {
  if (typeof piece === 'string' || typeof piece === 'number') return escapeText(String(piece))
  return 'markup' in piece ? piece.markup : piece.map(markupOf).join('')
}

/** A template that escapes its values, both in text and in quoted attributes. Markup and lists of markup are inserted unchanged. */
export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return { markup: parts.map((part, index) => part + markupOf(pieces[index] ?? '')).join('') }
}
