/** Moves the focus to the current row of the first list on the page, or to its first row. False without a list of links. */
export function enterRows(): boolean {
  const rows = 'main tr[data-index]'
  const target =
    document.querySelector<HTMLElement>(`${rows} a[tabindex="0"]`) ?? document.querySelector<HTMLElement>(`${rows} a, ${rows} input`)
  target?.focus()
  return target !== null
}
