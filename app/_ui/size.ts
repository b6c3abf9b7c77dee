/** Sizes in bytes as the interface sends them: texts that should be whole numbers. */
const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']

/** Bytes in a readable unit with one decimal; anything but a plain number stays unchanged. */
export function formatSize(text: string): string {
  const bytes = bytesOf(text)
  if (bytes === null) return text
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  const figure = value.toFixed(1).replace(/\.0$/, '')
  return `${figure} ${units[unit]}`
}

/** Null for anything but a plain number. */
export function bytesOf(text: string): number | null {
  return /^\d{1,18}$/.test(text.trim()) ? Number(text) : null
}

/** Null if the size of any of them is not known: as nothing it would make the sum untrue. */
export function totalBytes(things: readonly { size: string }[]): number | null {
  const sizes = things.map(({ size }) => bytesOf(size))
  return sizes.every((size) => size !== null) ? sizes.reduce((sum, size) => sum + size, 0) : null
}
