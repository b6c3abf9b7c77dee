/** How the current page was reached: by Back or Forward, or by a new visit. */

let byHistory = false

/** True while a page is first rendered after Back or Forward. */
export const isReturn = (): boolean => byHistory

/** Called on Back and Forward, before the page is rendered. */
export function noteReturn(): void {
  byHistory = true
}

/** Called once the page is rendered, or another one is requested. */
export function noteArrival(): void {
  byHistory = false
}
