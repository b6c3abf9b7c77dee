/**
 * Focuses the target if nothing has the focus any more: a control that worked may have been disabled meanwhile, or replaced. Waits until what
 * changed is rendered.
 */
export function focusIfLost(find: () => HTMLElement | null | undefined): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (document.activeElement === null || document.activeElement === document.body) find()?.focus({ preventScroll: true })
    }),
  )
}

const isVisible = (element: HTMLElement): boolean => element.offsetParent !== null

/** A control of the row at this place of the list; of the one before it if it was the last; else the filter, or the first field. */
export function findRowControl(place: number): HTMLElement | undefined {
  const line = document.querySelector(`main tr[data-index="${place}"]`) ?? document.querySelector(`main tr[data-index="${place - 1}"]`)
  const controls = [
    ...(line?.querySelectorAll<HTMLElement>('button') ?? []),
    ...document.querySelectorAll<HTMLElement>('main input, main textarea'),
  ]
  return controls.find(isVisible)
}
