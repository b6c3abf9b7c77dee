/** Saves text as a file on the user's device. */
export function saveFile(name: string, type: 'text/csv' | 'text/plain', text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** A label as a part of a file name: "web 1/old" is "web-1-old". */
export const toFileName = (label: string): string => label.replace(/[^\w.-]+/g, '-')
