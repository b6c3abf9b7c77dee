/** The name that a misspelt one may stand for. */

/** The one with the fewest letters to change, if these are at most a third of it and at least two may be wrong; else null. @param {string} given @param {readonly string[]} names */
export function findNearest(given, names) {
  const near = names.map((name) => ({ name, slips: countSlips(given, name) })).sort((a, b) => a.slips - b.slips)[0]
  return near && near.slips <= Math.max(2, Math.floor(near.name.length / 3)) && near.slips < near.name.length ? near.name : null
}

/** How many letters have to be added, left out or replaced. @param {string} one @param {string} other */
function countSlips(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let line = 1; line <= one.length; line++) {
    const next = [line]
    for (let column = 1; column <= other.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (one[line - 1] === other[column - 1] ? 0 : 1)
      next.push(Math.min((row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1, replaced))
    }
    row = next
  }
  return row[other.length] ?? 0
}
